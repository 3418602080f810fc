/** Every argument with which Chromium reaches the simulated sites and their media, as in `GET /info`. */
export function chromiumArguments(site: { hostResolverRules: string; certificateSpki: string }): string[] {
  return [
    `--host-resolver-rules=${site.hostResolverRules}`,
    // Chromium ignores it without a --user-data-dir.
    `--ignore-certificate-errors-spki-list=${site.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
    // QUIC does not go through the certificate exception.
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    // Without these a headless browser on a machine without devices has no camera and no microphone to offer.
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
  ];
}
