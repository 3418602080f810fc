/** Names of the presets: values for the platforms' options that a room does not give itself. */
export const presetNames = ['lenient', 'strict'] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * `lenient`: admits any well-behaved bot, with any kind of clicks and keys. `strict`: the hardest page known of the
 * real sites, for a bot that has to join everywhere.
 */
export const presets: Readonly<Record<PresetName, Readonly<Record<string, object>>>> = {
  lenient: {
    meet: { clickCheck: 'off' },
    zoom: { mediaPrompt: 'none', silentUnlessAllowed: false },
  },
  strict: {
    teams: { offersApp: 'everyone', controlsHide: true },
    zoom: { nameInput: 'keys', joinClick: 'trusted' },
  },
};
