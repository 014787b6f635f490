// Reads the policy file strictly: a missing, unknown or malformed field is refused at the start.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readStaker } from '@ducat/core/signing/intent-record';
import { type FieldReader, readFields } from '@ducat/core/signing/read-fields';
import { APPROVER_NAME } from '@ducat/core/signing/subject-record';
import { OperatorError } from '../operator-error.ts';
import type { AssetPolicy, ChainPolicy, Limits, Policy, StakePolicy } from './policy.ts';

const maxUnits = 2n ** 256n - 1n;
const maxChainId = 2 ** 48;
const addressForms = { evm: /^0x[0-9a-f]{40}$/, tron: /^41[0-9a-f]{40}$/ };
/** The DER prefix of the 32 bytes of an Ed25519 public key. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Reads the policy file:
 * {"chains":[{"chainId","family","fees","assets","cold","stake","sponsored"}],"approvers":[{"name","publicKey"}]}.
 * packages/signer/README.md describes each field. Throws OperatorError 'bad-policy', which names the place.
 */
export function readPolicy(text: string): Policy {
  const { chains, approvers } = readLists(parse(text));
  const policy = {
    chains: chains.map((chain, index) => readChain(chain, `chains[${index}]`)),
    approvers: new Map(approvers.map((approver, index) => readApprover(approver, `approvers[${index}]`))),
  };
  if (policy.approvers.size !== approvers.length) throw bad('approvers has the same name twice.');
  const places = policy.chains.map(({ family, chainId }) => `${family}/${chainId}`);
  if (new Set(places).size !== places.length) throw bad('chains has the same chain twice.');
  const needsApprover = policy.chains.some(({ assets }) =>
    assets.some(({ approvalAbove }) => approvalAbove !== null),
  );
  if (needsApprover && approvers.length === 0)
    throw bad('An asset needs approvals, and there is no approver.');
  return policy;
}

function readLists(value: unknown): { chains: readonly unknown[]; approvers: readonly unknown[] } {
  const file = readFields(value, (fields) => ({
    chains: fields.list('chains'),
    approvers: fields.list('approvers'),
  }));
  if (file === null) throw bad('The policy file must be {"chains":[…],"approvers":[…]} and nothing else.');
  return file;
}

function readChain(value: unknown, place: string): ChainPolicy {
  const chain = readFields(value, (fields) => {
    const family = fields.choice('family', ['evm', 'tron']);
    return {
      chainId: fields.number('chainId', maxChainId),
      family,
      fees: readLimits(fields.record('fees')),
      assets: fields.list('assets'),
      cold: fields.list('cold'),
      stake: fields.optional('stake', (name) => readStake(fields.record(name))),
      sponsored: fields.optional('sponsored', (name) => fields.flag(name)) ?? false,
    };
  });
  if (chain === null)
    throw bad(
      `${place} must have chainId, family, fees, assets and cold, each well-formed; stake and sponsored may be left out.`,
    );
  if (chain.stake !== null && chain.family !== 'tron')
    throw bad(`${place}.stake is for chains of the family tron.`);
  // An authorisation for chain 0 would hold on every chain.
  if (chain.sponsored && (chain.family !== 'evm' || chain.chainId === 0))
    throw bad(`${place}.sponsored is for chains of the family evm.`);
  const form = addressForms[chain.family];
  const assets = chain.assets.map((asset, index) => readAsset(asset, form, `${place}.assets[${index}]`));
  if (new Set(assets.map(({ contract }) => contract)).size !== assets.length) {
    throw bad(`${place}.assets has the same contract twice.`);
  }
  const cold = chain.cold.map((address) => {
    if (typeof address === 'string' && form.test(address)) return address;
    throw bad(`${place}.cold must list canonical addresses: ${form.source}`);
  });
  return { ...chain, assets, cold };
}

function readAsset(value: unknown, form: RegExp, place: string): AssetPolicy {
  const asset = readFields(value, (fields) => ({
    contract: fields.nullable('contract', (name) => fields.text(name, form)),
    approvalAbove: fields.nullable('approvalAbove', (name) => fields.baseUnits(name, maxUnits)),
    ...readLimits(fields),
  }));
  if (asset === null) {
    throw bad(
      `${place} must have contract, perTransaction, perHour, perDay and approvalAbove; amounts are base units as text.`,
    );
  }
  return asset;
}

function readStake(fields: FieldReader): StakePolicy {
  return { staker: readStaker(fields.record('staker')), ...readLimits(fields) };
}

function readLimits(fields: FieldReader): Limits {
  return {
    perTransaction: fields.baseUnits('perTransaction', maxUnits),
    perHour: fields.baseUnits('perHour', maxUnits),
    perDay: fields.baseUnits('perDay', maxUnits),
  };
}

function readApprover(value: unknown, place: string): readonly [string, KeyObject] {
  const approver = readFields(value, (fields) => ({
    name: fields.text('name', APPROVER_NAME),
    publicKey: fields.text('publicKey', /^[0-9a-f]{64}$/),
  }));
  if (approver === null) throw bad(`${place} must have name and publicKey, 64 lower-case hex digits.`);
  const der = Buffer.concat([ed25519Prefix, Buffer.from(approver.publicKey, 'hex')]);
  return [approver.name, createPublicKey({ key: der, format: 'der', type: 'spki' })];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad('The policy file is not valid JSON.');
  }
}

function bad(message: string): OperatorError {
  return new OperatorError('bad-policy', message);
}
