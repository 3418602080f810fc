import { isIP } from 'node:net';
import type { BotInvocation } from '@rapporteur/contracts';

/**
 * Chromium uses only the last of several lists, so this one repeats Playwright's list and adds what a bot needs off.
 */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  // A spare process for a page of another site: a bot opens one page.
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'Translate',
  // Omnibox popups, which are not visible: pages with a process of their own.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

export interface ChromiumRoutes {
  readonly simulator: BotInvocation['simulator'];
  readonly proxy: BotInvocation['outbound']['proxy'];
}

/** The arguments of a bot's Chromium beside Playwright's own. The browser does not disguise itself. */
export function chromiumArguments({ simulator, proxy }: ChromiumRoutes): string[] {
  const features = simulator === null ? featuresOff : [...featuresOff, 'WebRtcHideLocalIpsWithMdns'];
  return [
    '--disable-gpu',
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    // No device plays audio, but the tab must have it: in a muted browser a tab is captured without audio.
    '--disable-audio-output',
    // A page may capture its own tab and no other: the `tab` strategy records the painted page.
    '--auto-accept-this-tab-capture',
    '--lang=en-US',
    '--accept-lang=en-US,en',
    `--disable-features=${features.join(',')}`,
    ...(simulator === null ? [] : simulatorArguments(simulator)),
    ...(proxy === null ? [] : proxyArguments(proxy)),
  ];
}

/** Loopback is never proxied. Media over UDP goes directly. */
function proxyArguments({ http, https, exceptions }: NonNullable<ChromiumRoutes['proxy']>): string[] {
  const servers = [...(http === null ? [] : [`http=${http}`]), ...(https === null ? [] : [`https=${https}`])];
  // A leading dot means all names below, and here without the name itself.
  const bypass = exceptions.flatMap((text) => (text.startsWith('.') ? [text.slice(1), text] : [text]));
  return [
    `--proxy-server=${servers.join(';')}`,
    ...(bypass.length === 0 ? [] : [`--proxy-bypass-list=${bypass.map(bracketed).join(';')}`]),
  ];
}

const bracketed = (text: string): string => (isIP(text) === 6 ? `[${text}]` : text);

/** Routes this browser, and no other, to a simulator on this machine under the real host names. */
function simulatorArguments(simulator: NonNullable<BotInvocation['simulator']>): string[] {
  return [
    `--host-resolver-rules=${simulator.hostResolverRules}`,
    `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
  ];
}
