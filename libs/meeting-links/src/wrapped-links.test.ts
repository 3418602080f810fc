import { describe, expect, test } from '@jest/globals';
import { parseMeetingLink } from './index.ts';

const zoom = 'https://company.zoom.us/j/12345678901?pwd=abc-DEF_123.1';
const joinUrl = 'https://app.zoom.us/wc/12345678901/join?pwd=abc-DEF_123.1';
const context = { Tid: '5c7d0b28-bdf8-410c-aa93-4df372b16203', Oid: '9f2a3b4c-bdf8-410c-aa93-4df372b16203' };
const teams = `https://teams.microsoft.com/l/meetup-join/19%3ameeting_NzY0%40thread.v2/0?context=${encodeURIComponent(JSON.stringify(context)).replaceAll('%3A', '%3a')}`;
const escaped = encodeURIComponent;
const base64 = (text: string): string => Buffer.from(text).toString('base64url');

/** As Proofpoint's version 2 writes a link. */
function version2(link: string): string {
  const u = escaped(link).replaceAll('-', '%2D').replaceAll('_', '%5F').replaceAll('%2F', '_').replaceAll('%', '-');
  return `https://urldefense.proofpoint.com/v2/url?u=${u}&d=DwMFaQ&c=abc&r=def&m=ghi&s=jkl&e=`;
}

/** As version 3 writes it: characters that are not safe are replaced one by one. */
function version3(link: string, host = 'urldefense.com'): string {
  const replaced = (link.match(/[%*]/g) ?? []).join('');
  return `https://${host}/v3/__${link.replaceAll(/[%*]/g, '*')}__;${base64(replaced)}!!ABC-def_1!xYz$`;
}

function joinOf(text: string): string {
  const result = parseMeetingLink(text);
  return result.accepted ? result.link.joinUrl : result.reason;
}

describe('a wrapped link', () => {
  test.each([
    ['Google of a country', `https://www.google.co.jp/url?q=${escaped(zoom)}&sa=D&usg=AO`],
    ['Google of another one', `https://google.de/url?sa=t&url=${escaped(zoom)}`],
    ['safe links', `https://eur03.safelinks.protection.outlook.com/?url=${escaped(zoom)}&data=05%7C01&reserved=0`],
    [
      'safe links with a path',
      `https://nam12.safelinks.protection.outlook.com/ap/t-59584e83/?url=${escaped(zoom)}&data=x`,
    ],
    ['safe links of a government', `https://usg02.safelinks.protection.office365.us/?url=${escaped(zoom)}&data=05`],
    ['safe links of China', `https://chn01.safelinks.protection.outlook.cn/?url=${escaped(zoom)}&data=05`],
    [
      'safe links of Teams',
      `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/2/atp-safelinks.html?url=${escaped(zoom)}&locale=de-de&dest=x`,
    ],
    ['safe links of Outlook on the web', `https://outlook.office.com/mail/safelink.html?url=${escaped(zoom)}&corid=1`],
    ['Proofpoint 1', `https://urldefense.proofpoint.com/v1/url?u=${escaped(zoom)}&k=abc`],
    ['Proofpoint 2', version2(zoom)],
    ['Proofpoint 3', version3(zoom)],
    ['Proofpoint 3 of a government', version3(zoom, 'urldefense.us')],
    ['Proofpoint 3 with one slash', version3(zoom).replace('__https://', '__https:/')],
    ['Cisco', `https://secure-web.cisco.com/1aBcD-e_f/${escaped(zoom)}`],
    [
      'Barracuda',
      `https://linkprotect.cudasvc.com/url?a=${escaped(zoom).toLowerCase().replace('abc-def', 'abc-DEF')}&c=E,1,x&typo=1`,
    ],
    ['Sophos', `https://eu-central-1.protection.sophos.com/?d=zoom.us&u=${base64(zoom)}&i=x&t=y`],
    ['Trend Micro', `https://ddei5-0-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=${escaped(zoom)}&umid=x`],
    ['FireEye', `https://protect2.fireeye.com/v1/url?k=1&q=1&e=2&u=${escaped(zoom)}`],
    ['Check Point', `https://protect.checkpoint.com/v2/___${zoom}___.YXAzOmFiYzphOm86MTIz`],
    ['Defender for Cloud Apps', zoom.replace('zoom.us', 'zoom.us.mcas.ms')],
    ['Defender for Cloud Apps of a government', zoom.replace('zoom.us', 'zoom.us.mcas-gov.us')],
    ['its earlier hosts', zoom.replace('zoom.us', 'zoom.us.us2.cas.ms')],
    ['Bitdefender', `https://linkscan.io/scan/ux/${base64(zoom)}/ABCDEF?c=1`],
    ['Cisco, encoded twice', `https://secure-web.cisco.com/1aBcD-e_f/${escaped(escaped(zoom))}`],
    ['a bare query', `https://href.li/?${zoom}`],
    ['a sign-in page', `https://accounts.google.com/ServiceLogin?service=x&continue=${escaped(zoom)}`],
    ['the redirect of Meet', `https://meet.google.com/linkredirect?authuser=0&dest=${escaped(zoom)}`],
    ['two protections', `https://eur03.safelinks.protection.outlook.com/?url=${escaped(version3(zoom))}&data=1`],
    [
      'four of them',
      `https://www.google.fr/url?q=${escaped(`https://nam02.safelinks.protection.outlook.com/?url=${escaped(version2(`https://secure-web.cisco.com/1a/${escaped(zoom)}`))}`)}`,
    ],
  ])('of %s is joined with its whole passcode', (_wrapper, text) => {
    expect(joinOf(text)).toBe(joinUrl);
  });

  test.each([
    ['Proofpoint 2', version2(teams)],
    ['Proofpoint 3', version3(teams)],
    ['safe links', `https://eur03.safelinks.protection.outlook.com/ap/t-1/?url=${escaped(teams)}&data=1`],
    [
      'safe links, encoded twice',
      `https://eur03.safelinks.protection.outlook.com/ap/t-1/?url=${escaped(escaped(teams))}&data=1`,
    ],
    [
      'the launcher',
      `https://teams.microsoft.com/dl/launcher/launcher.html?url=${escaped(teams.replace('https://teams.microsoft.com', '/_#'))}&type=meetup-join`,
    ],
    [
      'the launcher with a whole link',
      `https://teams.microsoft.com/dl/launcher/launcher.html?url=${escaped(teams)}&type=meetup-join`,
    ],
  ])('of Teams in %s keeps its thread and context', (_wrapper, text) => {
    expect(parseMeetingLink(text)).toEqual(parseMeetingLink(teams));
  });

  test('that only a server can unwrap is refused for that, with the platform that it shows', () => {
    expect(parseMeetingLink('https://protect-eu.mimecast.com/s/aBcDeF123?domain=company.zoom.us')).toEqual({
      accepted: false,
      platform: 'zoom',
      reason: 'A mail protection hides the meeting link in this one. Send the meeting link itself.',
    });
  });

  test.each([
    [`https://www.google.com/url?q=${escaped('https://zoom.us/my/ada')}`, 'personal room'],
    [version3('https://zoom.us/j/12345678901?pwd=abc.12025'), 'damaged'],
    [Array.from({ length: 6 }).reduce((inner: string) => `https://a.example/?u=${escaped(inner)}`, zoom), 'too many'],
    ['https://urldefense.com/v3/__https://zoom.us/j/123**__;Kg!!x', 'a part of it is missing'],
    ['https://urldefense.com/v3/__https://zoom.us/j/12345678901', 'a part of it is missing'],
    [
      'https://teams.microsoft.com/dl/launcher/launcher.html?url=//evil.example/l/meetup-join/19:a@thread.v2/0',
      'no meeting',
    ],
  ])('%s is refused for what is wrong inside', (text, reason) => {
    expect(joinOf(text)).toContain(reason);
  });
});
