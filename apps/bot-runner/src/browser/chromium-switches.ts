import type { BotInvocation } from '@rapporteur/contracts';

/** What Playwright gives a browser that it starts itself, but for --mute-audio; a test keeps the two lists the same. */
const asPlaywrightHasThem = [
  '--disable-field-trial-config',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-back-forward-cache',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-edgeupdater',
  '--disable-extensions',
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
  '--allow-pre-commit-input',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--disable-updater-scheduler',
  '--force-color-profile=srgb',
  '--metrics-recording-only',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
  '--no-service-autorun',
  '--disable-search-engine-choice-screen',
  '--unsafely-disable-devtools-self-xss-warnings',
  '--enable-unsafe-swiftshader',
  '--edge-skip-compat-layer-relaunch',
  '--disable-stack-profiler',
  '--disable-infobars',
  '--disable-sync',
  '--do-not-de-elevate',
  '--headless',
  '--hide-scrollbars',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
];

/** What Playwright switches off, less what a recording bot does not need. */
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

export const windowSize = { width: 1280, height: 720 } as const;

/** Chromium's whole command line. No disguise: the browser says what it is. */
export function chromiumArguments(
  simulator: BotInvocation['simulator'],
  profileFolder: string,
  sandbox = true,
): string[] {
  const features = simulator === null ? featuresOff : [...featuresOff, 'WebRtcHideLocalIpsWithMdns'];
  return [
    ...asPlaywrightHasThem,
    // Chromium refuses its sandbox to root.
    ...(!sandbox || process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    // No device plays anything, and yet the tab has audio: in a muted browser a tab is captured without it.
    '--disable-audio-output',
    // A page may capture its own tab, and no other: where nothing else works the recorder records what the page paints.
    '--auto-accept-this-tab-capture',
    '--lang=en-US',
    '--accept-lang=en-US,en',
    `--window-size=${windowSize.width},${windowSize.height}`,
    `--disable-features=${features.join(',')}`,
    ...(simulator === null ? [] : simulatorArguments(simulator)),
    `--user-data-dir=${profileFolder}`,
    '--remote-debugging-pipe',
    'about:blank',
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
