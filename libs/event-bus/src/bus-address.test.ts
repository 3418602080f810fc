import { describe, expect, test } from '@jest/globals';
import { readBusAddress } from './bus-address.ts';

describe('the address of the message bus', () => {
  test('names one server or several, with one user for all', () => {
    expect(readBusAddress('nats://a:4222')).toEqual({ servers: ['a:4222'] });
    expect(readBusAddress('nats://u:p%40@a:4222, nats://b:4223,nats://[::1]:4222/')).toEqual({
      servers: ['a:4222', 'b:4223', '[::1]:4222'],
      user: 'u',
      pass: 'p@',
    });
  });

  test('requires TLS with tls:// and with any PEM file', () => {
    expect(readBusAddress('tls://a:4222').tls).toEqual({});
    expect(readBusAddress('nats://a:4222', { caFile: '/ca.pem' }).tls).toEqual({ caFile: '/ca.pem' });
    const pair = { certFile: '/c.pem', keyFile: '/k.pem' };
    expect(readBusAddress('tls://a:4222', pair).tls).toEqual(pair);
    expect(() => readBusAddress('tls://a:4222', { certFile: '/c.pem' })).toThrow('RAPPORTEUR_BUS_KEY_FILE');
  });

  test.each([
    ['', 'server 1 is none'],
    ['a:4222', 'server 1 is none'],
    ['nats://a:4222,', 'server 2 is none'],
    ['nats://a:4222,b', 'server 2 is none'],
    ['ws://a:8080', 'server 1 is none'],
    ['nats://a:4222/x', 'a path, query or fragment behind server 1'],
    ['nats://a:4222,nats://b:4222?tls=true', 'a path, query or fragment behind server 2'],
    ['nats://a:4222,tls://b:4222', 'mixes nats:// and tls://'],
    ['tls://10.0.0.5:4222', 'the host name that is in the server'],
    ['tls://a:4222,tls://[fd00::1]:4222', 'the host name that is in the server'],
    ['nats://u:secret@a:4222,nats://v:secret@b:4222', 'several users'],
    ['nats://secret@a:4222', 'a user without a password in server 1'],
    ['nats://u:secret%zz@a:4222', 'percent-encoding is damaged'],
  ])('%p is refused for what is not honoured, without a secret', (address, part) => {
    let message = '';
    try {
      readBusAddress(address);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain('RAPPORTEUR_BUS_URL');
    expect(message).toContain(part);
    expect(message).not.toContain('secret');
  });
});
