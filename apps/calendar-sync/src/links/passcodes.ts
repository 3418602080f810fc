import type { MeetingPlatformName } from '@rapporteur/contracts';

/** In characters: a longer text is searched up to here. */
const longestSearched = 20_000;
/** In characters, around a meeting's number: an invitation states both together. */
const nearby = 400;
const mostOccurrences = 5;

/** Words for a passcode in the languages of invitations, in lower case. */
const words =
  'passcode|pass code|password|passwort|pwd|access code|kenncode|kennwort|zugangscode|code secret|mot de passe|' +
  "code d['’]accès|código de acceso|contraseña|clave de acceso|senha|código de acesso|palavra-passe|codice d['’i] ?accesso|" +
  'toegangscode|wachtwoord|kod dostępu|hasło|код доступа|пароль|код доступу|přístupový kód|heslo|jelszó|parolă|parola|' +
  'şifre|geçiş kodu|lösenord|adgangskode|passord|tilgangskode|tunnuskoodi|salasana|κωδικός|лозинка|lozinka|mật mã|' +
  'mật khẩu|kode sandi|kata sandi|รหัสผ่าน|पासकोड|パスコード|パスワード|암호|비밀번호|패스코드|密码|密碼|通行码|口令|' +
  'رمز المرور|كلمة المرور|סיסמה|קוד גישה';
const code = String.raw`([\w@*-]{1,64})(?![\w@*:/.-]*[\w@*:/-])`;
const labelled = new RegExp(
  String.raw`(?:${words})[^\S\n]{0,3}(?:\([^()\n]{0,40}\)\s{0,3})?([:：=–-]|\b(?:is|ist|est|es|è)\b)?\s{0,5}${code}`,
  'giu',
);
/** Directly behind the number, in any language: a label and a code, or a code alone behind a stroke. */
const next = new RegExp(
  String.raw`^[\s,;|·()/-]{0,20}(?:[^\d\s:：=/|][^\d:：=/|]{0,40}[:：=]\s{0,5}|(?<=[/|]\s{0,3}))${code}`,
  'u',
);
const dateOrWord = /^(?:\d{4}-\d\d-\d\d|\d{1,2}-\d{1,2}-\d{2,4}|none|no|not|keine?r?|aucun|required|-*)$/i;

/** HTML as lines: invitations separate label and code by tags too. @param text with its entities replaced */
export function linesOf(text: string): string {
  return text
    .slice(0, longestSearched)
    .replaceAll(/<\/?(?:b|strong|i|em|span|font|u)\b[^<>]{0,500}>/gi, '')
    .replaceAll(/<[^<>]{0,2000}>/g, '\n');
}

/**
 * The passcode that an invitation states beside the number of a meeting: behind it, with a known label or in the layout
 * of invitations; else before it. Null: none.
 * @param others numbers of other meetings, whose passcodes are not meant
 */
export function passcodeOf(lines: string, number: string, others: readonly string[]): string | null {
  const places = [...lines.matchAll(numberPattern(number))].slice(0, mostOccurrences);
  const foreign = others.flatMap((other) => [...lines.matchAll(numberPattern(other))].map(({ index }) => index));
  for (const { index, 0: found } of places) {
    const from = index + found.length;
    const end = Math.min(from + nearby, ...foreign.filter((at) => at > from));
    const behind = lines.slice(from, end);
    const passcode = labelledCode(behind) ?? codeIn(next.exec(behind)?.[1], true);
    // Behind the number of a link the invitation writes the number again.
    if (passcode !== null && !number.startsWith(passcode)) return passcode;
  }
  return others.length === 0 ? labelledCode(lines) : null;
}

/** Platforms whose meetings have a number and a passcode. */
const numbered = ['zoom', 'teams'] as const satisfies readonly MeetingPlatformName[];

export interface StatedNumber {
  readonly platform: (typeof numbered)[number];
  readonly number: string;
  readonly passcode: string | null;
}

const stated = /(?:\/meet\/|[:：])\s{0,5}(\d{3}[\d \u00a0-]{6,20})/gu;

/** The number of a meeting that an invitation states without a link, with its passcode; null: none. */
export function statedNumberOf(lines: string): StatedNumber | null {
  let withoutPasscode: StatedNumber | null = null;
  const lowered = lines.toLowerCase();
  for (const [index, match] of [...lines.matchAll(stated)].slice(0, mostOccurrences * 4).entries()) {
    const number = (match[1] ?? '').replaceAll(/\D/g, '');
    const before = lowered.slice(0, match.index + match[0].length);
    const [zoom, teams] = numbered.map((name) => before.lastIndexOf(name)) as [number, number];
    const platform = teams > zoom ? 'teams' : 'zoom';
    const fits = platform === 'zoom' ? zoom !== -1 && /^\d{9,11}$/.test(number) : /^\d{9,15}$/.test(number);
    if (!fits || index >= mostOccurrences * 4) continue;
    const passcode = passcodeOf(lines, number, []);
    if (passcode !== null) return { platform, number, passcode };
    const label = lines.slice(Math.max(0, match.index - 40), match.index + 5);
    if (/\/meet|id\b|番号|번호|号/iu.test(label)) withoutPasscode ??= { platform, number, passcode };
  }
  return withoutPasscode;
}

const numberPattern = (number: string): RegExp =>
  new RegExp(`(?<!\\d)${number.split('').join('[ \\u00a0-]?')}(?!\\d)`, 'g');

function labelledCode(text: string): string | null {
  for (const match of text.matchAll(labelled)) {
    const [whole, separator, found] = match;
    const isFollowed = /^[^\S\n]*\p{L}/u.test(text.slice(match.index + whole.length, match.index + whole.length + 10));
    const passcode = codeIn(found, separator === undefined || isFollowed);
    if (passcode !== null) return passcode;
  }
  return null;
}

/** @param needsDigit without a separator a word is part of a sentence */
function codeIn(found: string | undefined, needsDigit: boolean): string | null {
  if (found === undefined || dateOrWord.test(found) || (needsDigit && !/\d/.test(found))) return null;
  return found;
}
