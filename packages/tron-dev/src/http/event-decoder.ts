// Decodes logs by the ABI that their contract was deployed with, in TronGrid's format.
import type { AbiEvent } from 'viem';
import type { Chain } from '../chain/chain.ts';
import { toBase58 } from '../protocol/address.ts';
import type { Log } from '../protocol/messages.ts';

export interface DecodedEvent {
  readonly name: string;
  /** As in "Transfer(address indexed from, address indexed to, uint256 value)". */
  readonly signature: string;
  /** Values as text, by position and by name. */
  readonly result: Readonly<Record<string, string>>;
  readonly resultTypes: Readonly<Record<string, string>>;
  readonly base58: (addressHex: string) => string;
}

export type EventDecoder = (contract: string, log: Log) => DecodedEvent;

/** Loads the ABI library when events are first asked for, because it would double the start time of the chain. */
export async function loadEventDecoder(chain: Chain): Promise<EventDecoder> {
  const { decodeEventLog, toEventSelector } = await import('viem');
  return (contract, log) => {
    const base58 = (hex: string) => (hex === '' ? '' : toBase58(hex));
    const unknown = { name: '', signature: '', result: {}, resultTypes: {}, base58 };
    const [first, ...others] = log.topics.map((topic): `0x${string}` => `0x${topic}`);
    const event = eventsOf(chain, contract).find((candidate) => toEventSelector(candidate) === first);
    if (event === undefined || first === undefined) return unknown;
    try {
      const { args } = decodeEventLog({ abi: [event], data: `0x${log.data}`, topics: [first, ...others] });
      return { name: event.name, signature: signatureOf(event), ...valuesOf(event, args), base58 };
    } catch {
      return { ...unknown, name: event.name, signature: signatureOf(event) };
    }
  };
}

function eventsOf(chain: Chain, contract: string): readonly AbiEvent[] {
  const entries = chain.head.state.contracts.get(contract)?.definition.abi?.entrys ?? [];
  return entries
    .filter(({ type }) => type === 'Event')
    .map(({ name, inputs }) => ({
      type: 'event' as const,
      name,
      inputs: inputs.map((input) => ({ name: input.name, type: input.type, indexed: input.indexed })),
    }));
}

function signatureOf(event: AbiEvent): string {
  const inputs = event.inputs.map(
    ({ type, indexed, name }) => `${type} ${indexed === true ? 'indexed ' : ''}${name ?? ''}`,
  );
  return `${event.name}(${inputs.join(', ')})`;
}

function valuesOf(event: AbiEvent, args: unknown): Pick<DecodedEvent, 'result' | 'resultTypes'> {
  const byName = typeof args === 'object' && args !== null ? Object.entries(args) : [];
  const result: Record<string, string> = {};
  const resultTypes: Record<string, string> = {};
  event.inputs.forEach(({ name, type }, index) => {
    const value = byName.find(([key]) => key === name || key === String(index))?.[1];
    const text = typeof value === 'string' && type === 'address' ? value.toLowerCase() : String(value);
    result[String(index)] = text;
    if (name === undefined || name === '') return;
    result[name] = text;
    resultTypes[name] = type;
  });
  return { result, resultTypes };
}
