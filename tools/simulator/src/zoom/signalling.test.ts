import { describe, expect, test } from '@jest/globals';
import type { Member } from '../rooms/members.ts';
import {
  activeSpeakers,
  joined,
  levelOf,
  rosterAdded,
  rosterRemoved,
  rosterRenamed,
  sharedBy,
  userIdOf,
} from './signalling.ts';

const member = (device: number, name: string, isHost = false): Member => ({
  deviceId: `spaces/s/devices/${device}`,
  name,
  participantIndex: 0,
  isHost,
  audioStreamId: '1',
  videoStreamId: '2',
});

describe('frames of the signalling', () => {
  const zoe = member(3, 'Zoë', true);

  test('name people in base64, under ids whose lower ten bits are free', () => {
    const { evt, body } = JSON.parse(rosterAdded([zoe])) as {
      evt: number;
      body: { add: { id: number; dn2: string }[] };
    };
    expect(evt).toBe(7937);
    expect(body.add[0]!.id % 1024).toBe(0);
    expect(Buffer.from(body.add[0]!.dn2, 'base64').toString()).toBe('Zoë');
    expect(JSON.parse(joined(zoe))).toMatchObject({ evt: 4098, body: { userID: userIdOf(zoe) } });
    expect(JSON.parse(rosterRemoved(zoe))).toMatchObject({ evt: 7937, body: { remove: [{ id: userIdOf(zoe) }] } });
    const dn2 = Buffer.from('Zoë').toString('base64');
    expect(JSON.parse(rosterRenamed(zoe))).toMatchObject({ body: { update: [{ id: userIdOf(zoe), dn2 }] } });
  });

  test('name the loudest first, and none in silence', () => {
    const ann = member(4, 'Ann');
    expect(JSON.parse(activeSpeakers([ann, zoe]))).toMatchObject({
      evt: 12_033,
      body: { asn1: userIdOf(ann), asn2: userIdOf(zoe) },
    });
    expect((JSON.parse(activeSpeakers([])) as { body: object }).body).toEqual({});
  });

  test('state the loudness of a participant from 0 to 9', () => {
    const level = (levelDbov: number) =>
      (JSON.parse(levelOf(zoe, levelDbov)) as { body: { nLevel: number } }).body.nLevel;
    expect([level(0), level(18), level(50), level(127)]).toEqual([9, 7, 2, 0]);
  });

  test('state the presenter, or none', () => {
    expect(JSON.parse(sharedBy(zoe))).toMatchObject({ body: { activeNodeID: userIdOf(zoe) } });
    expect(JSON.parse(sharedBy(null))).toMatchObject({ body: { activeNodeID: 0 } });
  });
});
