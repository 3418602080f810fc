import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface S3Access {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const timeoutSeconds = 60;
const largestOutputBytes = 16 * 1024 * 1024;

/** An S3 client that shares no code with the service: curl signs the requests. */
export class CurlS3 {
  readonly #access: S3Access;

  constructor(access: S3Access) {
    this.#access = access;
  }

  async keysOf(bucket: string): Promise<string[]> {
    const { stdout } = await this.#call(`${bucket}?list-type=2&max-keys=1000`, []);
    return [...stdout.matchAll(/<Key>([^<]+)<\/Key>/g)].map((match) => match[1] ?? '');
  }

  async download(bucket: string, key: string, file: string): Promise<void> {
    await this.#call(`${bucket}/${key}`, ['--output', file]);
  }

  async #call(path: string, options: readonly string[]): Promise<{ stdout: string }> {
    const { endpoint, region, accessKeyId, secretAccessKey } = this.#access;
    // Required by S3; this curl does not set it.
    const payload = ['--header', 'x-amz-content-sha256: UNSIGNED-PAYLOAD'];
    const signed = ['--aws-sigv4', `aws:amz:${region}:s3`, '--user', `${accessKeyId}:${secretAccessKey}`];
    const quiet = ['--silent', '--show-error', '--fail', '--max-time', String(timeoutSeconds)];
    return await run('curl', [...quiet, ...payload, ...signed, ...options, `${endpoint}/${path}`], {
      maxBuffer: largestOutputBytes,
    });
  }
}
