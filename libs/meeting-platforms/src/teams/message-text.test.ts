import { describe, expect, test } from '@jest/globals';
import { isMarkedGuest, plainName } from './display-name.ts';
import { messageText } from './message-text.ts';

describe('messageText', () => {
  test.each([
    ['plain words', 'plain words'],
    ['<div><p>One</p>\n<p>Two &lt;b&gt; &#39;x&#x27; &amp;amp;</p></div>', "One\nTwo <b> 'x' &amp;"],
    ['a<br/>b', 'a\nb'],
    ['<img src="x" alt="🎉"> done&nbsp;now', '🎉 done now'],
    ['&bogus; &#0; &#1114112;', '&bogus; &#0; &#1114112;'],
    ['&#55357;&#56832; &#xD83D;, &#xDE00;', '😀 \ufffd, \ufffd'],
    ['<p> </p>', ''],
  ])('%j reads %j', (html, text) => {
    expect(messageText(html)).toBe(text);
  });
});

describe('plainName', () => {
  test.each([
    ['Zoe (Unverified)', 'Zoe'],
    ['Zoe (Guest) (Unverified)', 'Zoe'],
    ['Zoe (she/her)', 'Zoe (she/her)'],
    ['Unknown user', null],
    ['(Guest)', null],
    [null, null],
  ])('%j is %j', (shown, name) => {
    expect(plainName(shown)).toBe(name);
  });

  test('the mark identifies a guest', () => {
    expect([isMarkedGuest('Zoe (Guest)'), isMarkedGuest('Zoe'), isMarkedGuest(null)]).toEqual([true, false, false]);
  });
});
