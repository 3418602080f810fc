/** Address of links to recordings for this service. */
export interface FilesAddress {
  /** Base address of the links that the API returns. */
  readonly publicUrl: string;
  /** Base address of the same server, without a path. */
  readonly url: string;
}

/** The link at the address that this service uses; a link of another server is unchanged. */
export function reachableUrl(link: string, files: FilesAddress | null): string {
  if (files === null) return link;
  const target = new URL(link);
  if (target.origin !== new URL(files.publicUrl).origin) return link;
  return `${new URL(files.url).origin}${target.pathname}${target.search}`;
}

/** Host and port of an address, in the form of `allowedAddresses`. */
export function hostAndPort(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
