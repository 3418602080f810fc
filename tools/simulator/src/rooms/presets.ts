/** Names of the presets: values for the platforms' options that a room does not give itself. */
export const presetNames = ['lenient', 'strict'] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * `lenient`: any well-behaved bot gets in, whatever kind of clicks and keys it uses. `strict`: the hardest page that the real sites
 * are known to show, for a bot that is to get in everywhere.
 */
export const presets: Readonly<Record<PresetName, Readonly<Record<string, object>>>> = {
  lenient: {
    meet: { knock: 'off' },
    zoom: { mediaPrompt: 'none', silentUnlessAllowed: false },
  },
  strict: {
    teams: { offersApp: 'everyone', controlsHide: true },
    zoom: { nameInput: 'keys', joinClick: 'trusted' },
  },
};
