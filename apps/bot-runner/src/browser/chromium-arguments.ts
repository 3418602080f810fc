import type { BotInvocation } from '@rapporteur/contracts';

/** Chromium reads the last of several lists only, so this one also names what Playwright's list names and a bot needs off. */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  // A process that waits for a page of another site: a bot opens one page.
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'Translate',
  // The lists under an address bar that nobody sees: pages of their own, in a process of their own.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** What a bot's Chromium gets beside Playwright's own arguments. No disguise: the browser says what it is. */
export function chromiumArguments(simulator: BotInvocation['simulator']): string[] {
  const features = simulator === null ? featuresOff : [...featuresOff, 'WebRtcHideLocalIpsWithMdns'];
  return [
    '--disable-gpu',
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    // No device plays anything, and yet the tab has audio: in a muted browser a tab is captured without it.
    '--disable-audio-output',
    // A page may capture its own tab, and no other: where nothing else works the recorder records what the page paints.
    '--auto-accept-this-tab-capture',
    '--lang=en-US',
    '--accept-lang=en-US,en',
    `--disable-features=${features.join(',')}`,
    ...(simulator === null ? [] : simulatorArguments(simulator)),
  ];
}

/** Leads this browser, and no other, to a simulator on this machine under the real host names. */
function simulatorArguments(simulator: NonNullable<BotInvocation['simulator']>): string[] {
  return [
    `--host-resolver-rules=${simulator.hostResolverRules}`,
    `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
  ];
}
