import { describe, expect, test } from '@jest/globals';
import { hostAndPort, reachableUrl } from './reachable-url.ts';

describe('a link to a recording', () => {
  const files = { publicUrl: 'https://files.example.com', url: 'http://storage-config.bots.svc:3000' };

  test.each([
    ['https://files.example.com/v1/video.mp4?sig=a%2Fb', 'http://storage-config.bots.svc:3000/v1/video.mp4?sig=a%2Fb'],
    ['https://files.example.com:8443/video.mp4', 'https://files.example.com:8443/video.mp4'],
    ['https://bucket.example.com/video.mp4?sig=a', 'https://bucket.example.com/video.mp4?sig=a'],
  ])('%s is read from %s', (link, address) => {
    expect(reachableUrl(link, files)).toBe(address);
    expect(reachableUrl(link, null)).toBe(link);
  });

  test.each([
    ['http://storage-config.bots.svc:3000', 'storage-config.bots.svc:3000'],
    ['http://files.example.com', 'files.example.com:80'],
    ['https://files.example.com', 'files.example.com:443'],
  ])('of %s is allowed as %s', (address, allowed) => {
    expect(hostAndPort(address)).toBe(allowed);
  });
});
