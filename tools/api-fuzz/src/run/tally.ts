import type { ServiceResponse, PlannedRequest } from './request.ts';

/** Requests and the statuses of their responses, by operation. */
export class Tally {
  readonly #statuses = new Map<string, Map<number, number>>();
  readonly #kinds = new Map<string, number>();
  readonly #durations: number[] = [];
  sent = 0;

  add(request: PlannedRequest, response: ServiceResponse): void {
    this.sent += 1;
    const name = `${request.generation} ${request.operation.id}`;
    const statuses = this.#statuses.get(name) ?? new Map<number, number>();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    this.#statuses.set(name, statuses);
    const { kind } = request.expectation;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    this.#durations.push(response.durationMs);
  }

  neverSent(names: readonly string[]): string[] {
    return names.filter((name) => !this.#statuses.has(name));
  }

  /** Operations without any accepted request, by name. */
  neverTaken(names: readonly string[]): string[] {
    return names.filter((name) => ![...(this.#statuses.get(name)?.keys() ?? [])].some((status) => status < 300));
  }

  lines(): string[] {
    const sorted = this.#durations.toSorted((left, right) => left - right);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
    return [
      ...[...this.#statuses]
        .toSorted(([left], [right]) => left.localeCompare(right))
        .map(
          ([name, statuses]) =>
            `${name.padEnd(34)} ${[...statuses]
              .toSorted(([left], [right]) => left - right)
              .map(([status, count]) => `${status}: ${count}`)
              .join('  ')}`,
        ),
      [...this.#kinds].map(([kind, count]) => `${count} ${kind}`).join(', '),
      `answers: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(0.999999)} ms`,
    ];
  }
}
