// The record of all chain families the signer has keys for.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Family } from '../protocol.ts';
import { evm } from './evm.ts';
import type { Scheme } from './scheme.ts';
import { tron } from './tron.ts';

/** Core's families are part of the key, so a chain family that the signer does not know is a type error here. */
export const schemes: Readonly<Record<Family | ChainFamily, Scheme>> = { evm, tron };
