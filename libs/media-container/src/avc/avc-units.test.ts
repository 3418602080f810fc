import { describe, expect, test } from '@jest/globals';
import { avcRecord, lengthPrefixed, parameterSetsOf, sizeIn, unitType } from './avc-units.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
/** A description by Chromium's encoder: constrained baseline, 640x480. */
const baseline = bytes('6742c01f8c8d40501e900f08846a');
/** A description by x264: high, 1920x1080, which is cut from 1920x1088. */
const high = bytes('67640028acd940780227e5c05a808080a0000003002000000781e30632c0');
const pictureParameterSet = bytes('68ce3c80');

describe('what a sequence parameter set says of the size', () => {
  test('in whole blocks, cropped, and of a profile that says more before it', () => {
    expect([sizeIn(baseline), sizeIn(high)]).toEqual([
      { width: 640, height: 480 },
      { width: 1_920, height: 1_080 },
    ]);
  });

  test('is nothing where it is cut', () => {
    expect(sizeIn(baseline.subarray(0, 6))).toBeNull();
    expect(sizeIn(new Uint8Array())).toBeNull();
  });
});

describe('units', () => {
  const slice = bytes('65880000030001ff');
  test('follow their length in MP4', () => {
    expect(Buffer.from(lengthPrefixed([pictureParameterSet, slice])).toString('hex')).toBe(
      `00000004${Buffer.from(pictureParameterSet).toString('hex')}00000008${Buffer.from(slice).toString('hex')}`,
    );
  });

  test('that describe pictures make a record that gives them back', () => {
    const record = avcRecord([baseline], [pictureParameterSet]);
    expect(Buffer.from(record ?? []).toString('hex')).toBe(
      '0142c01fffe1000e6742c01f8c8d40501e900f08846a01000468ce3c80',
    );
    expect(parameterSetsOf(record ?? new Uint8Array()).map(unitType)).toEqual([7, 8]);
    expect(avcRecord([baseline], [])).toBeNull();
    expect(parameterSetsOf(record?.subarray(0, 12) ?? new Uint8Array())).toEqual([]);
  });
});
