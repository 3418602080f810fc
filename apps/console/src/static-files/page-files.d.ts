/** The files that the packer wrote for this page: names with the hash of their content. */
export interface PageFiles {
  readonly html: string;
  /** Text and compressed forms by name. */
  readonly assets: ReadonlyMap<string, PageAsset>;
}
export interface PageAsset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
}
/** @throws Error when the page was not built */
export declare function readPageFiles(folder: string): PageFiles;
export declare const iconSvg: string;
