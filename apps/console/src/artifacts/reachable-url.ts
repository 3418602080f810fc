/** Where links to recordings are reached from this service. */
export interface FilesAddress {
  /** Base address of the links as the API gives them. */
  readonly publicUrl: string;
  /** Base address of the same server, without a path. */
  readonly url: string;
}

/** The link at the address that this service reaches; a link of another server as it is. */
export function reachableUrl(link: string, files: FilesAddress | null): string {
  if (files === null) return link;
  const target = new URL(link);
  if (target.origin !== new URL(files.publicUrl).origin) return link;
  return `${new URL(files.url).origin}${target.pathname}${target.search}`;
}

/** Host and port of an address, as `allowedAddresses` has them. */
export function hostAndPort(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}
