import type { Options } from 'openapi-to-postmanv2';

/** A Postman collection (v2.1) of an OpenAPI document. @throws Error when the document cannot be converted */
export async function postmanCollection(document: string): Promise<string> {
  const { default: converter } = await import('openapi-to-postmanv2');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options: Options = { folderStrategy: 'Tags', requestNameSource: 'Fallback', parametersResolution: 'Example' };
  converter.convertV2({ type: 'string', data: document }, options, (error, result) => {
    const collection = result?.output?.[0]?.data;
    if (error !== null || collection === undefined) {
      reject(
        new Error(`The Postman collection could not be made: ${result?.reason ?? error?.message ?? 'no reason'}.`),
      );
    } else resolve(JSON.stringify(collection));
  });
  return promise;
}
