import { describe, expect, test } from '@jest/globals';
import { metricCatalogue } from './metric-catalogue.ts';

const all = metricCatalogue.flatMap(({ definitions }) => Object.values(definitions));

describe('the metrics of the house', () => {
  test('have names of their own that carry prefix and unit', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, type, unit } of all) {
      expect(name).toMatch(/^rapporteur_[a-z0-9_]+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      if (unit === 'seconds' || unit === 'bytes') expect(name.replace(/_total$/, '')).toMatch(new RegExp(`_${unit}$`));
    }
  });

  test('state what they mean in a sentence', () => {
    for (const { help } of all) expect(help).toMatch(/^[A-Za-z].{20,}\.$/);
  });

  test('have labels of few values, none of which names one bot, team or address', () => {
    for (const { name, labels = {} } of all) {
      for (const [label, values] of Object.entries(labels)) {
        expect(label).not.toMatch(/(^|_)(id|url|email|host|path|bot|team|name)$/);
        const most = 'boundedBy' in values ? values.most : values.length;
        expect([name, label, most <= 200]).toEqual([name, label, true]);
      }
      const series = Object.values(labels).reduce(
        (product, values) => product * ('boundedBy' in values ? 1 : values.length),
        1,
      );
      expect([name, series <= 400]).toEqual([name, true]);
    }
  });
});
