// For operators: chains as they are read now, pausing and resuming them, and currencies.
import { isPositive, zero } from '@ducat/core/money/amount';
import { readChainStates, readRecentReorgs } from '../../../db/reports/dashboard/operator/chain-states.ts';
import { readReserves } from '../../../db/reports/dashboard/operator/reserves-report.ts';
import { readSuspensions } from '../../../db/tables/books/currency-suspensions.ts';
import { pauseChain } from '../../../flows/blocks/pause-chain.ts';
import { resumeReadChain } from '../../../flows/blocks/resume-read-chain.ts';
import { resumeByHand } from '../../../flows/currencies/resume-by-hand.ts';
import { suspendByHand } from '../../../flows/currencies/suspend-by-hand.ts';
import { answer, type Handler, refusal, unknown } from '../call.ts';
import { presentCurrency } from '../home/currencies.ts';
import { chainNamed, readTexts, seconds, secondsOrNull } from '../texts.ts';

/** How old the newest block of a chain may be, in seconds, before the chain counts as not ready. */
export const MAX_HEAD_AGE_S = 300;
const REORGS_SHOWN = 10;

export const handleChainList: Handler<'chains.list'> = async ({ deps, nowMs }) => {
  const { reader, catalogue } = deps;
  const states = new Map((await readChainStates(reader)).map((state) => [state.chain, state]));
  const reorgs = await readRecentReorgs(reader, [...states.keys()], REORGS_SHOWN);
  const now = seconds(nowMs);
  return answer({
    now,
    chains: catalogue.chains().map(({ definition, on }) => {
      const state = states.get(definition.name);
      const stamp = (number: number | null = null, time: number | null = null) =>
        number === null || time === null ? null : { number, time };
      const head = stamp(state?.headNumber, state?.headTime);
      const lag = head === null ? null : Math.max(0, now - head.time);
      const haltedReason = state?.haltedReason ?? null;
      const holder = state?.holder ?? null;
      return {
        chain: definition.name,
        network: definition.network,
        family: definition.family,
        is_on: on,
        is_ready: on && haltedReason === null && lag !== null && lag <= MAX_HEAD_AGE_S,
        head,
        final: stamp(state?.finalNumber, state?.finalTime),
        searched: stamp(state?.searchedNumber, state?.searchedTime),
        lag_seconds: lag,
        block_ms: definition.blockTimeMs,
        confirmations: definition.confirmations,
        halted_reason: haltedReason,
        updated_at: secondsOrNull(state?.updatedAtMs ?? null),
        watched_by: holder === null ? null : { holder, since: seconds(state?.takenAtMs ?? 0) },
        reorgs: reorgs
          .filter(({ chain }) => chain === definition.name)
          .map(({ atMs, fromNumber, ancestorNumber, orphaned }) => ({
            at: seconds(atMs),
            from_number: fromNumber,
            ancestor_number: ancestorNumber,
            orphaned,
          })),
      };
    }),
  });
};

export const handleChainPause: Handler<'chains.pause'> = async (call, { chain, reason }) => {
  const { deps, nowMs, session } = call;
  if (chainNamed(deps, chain) === null) return unknown('chain');
  const outcome = await deps.transact(async (tx) => {
    const paused = await pauseChain(tx, {
      chain,
      reason: `paused by ${session.person.name}: ${reason}`,
      nowMs,
    });
    if (paused === 'paused') await call.record(tx, { subject: chain, detail: reason });
    return paused;
  });
  return outcome === 'paused' ? answer({}) : refusal('changed', 'the chain stands still already');
};

export const handleChainResume: Handler<'chains.resume'> = async (call, request) => {
  const { deps, nowMs } = call;
  const { chain, halted_reason: reason } = request;
  if (chainNamed(deps, chain) === null) return unknown('chain');
  const outcome = await deps.transact(async (tx) => {
    const resumed = await resumeReadChain(tx, { chain, reason, nowMs });
    if (resumed === 'resumed') await call.record(tx, { subject: chain, detail: reason });
    return resumed;
  });
  if (outcome === 'resumed') return answer({});
  return refusal('changed', 'the chain runs already, or stands still for another reason: look at it again');
};

export const handleCurrencyListAll: Handler<'currencies.list-all'> = async ({ deps }) => {
  const { reader, catalogue } = deps;
  const reserves = new Map((await readReserves(reader)).map((one) => [one.currencyId, one]));
  const since = new Map((await readSuspensions(reader)).map((one) => [one.currencyId, one]));
  const texts = await readTexts(deps);
  return answer({
    currencies: catalogue.chains().flatMap(({ definition: chain }) =>
      chain.currencies.map((currency) => {
        const { currencyId } = currency;
        const suspension = since.get(currencyId);
        const { owed = zero(currencyId), held = zero(currencyId) } = reserves.get(currencyId) ?? {};
        return {
          ...presentCurrency(deps, { chain, currency }),
          suspended: suspension?.reason ?? null,
          suspended_since: secondsOrNull(suspension?.sinceMs ?? null),
          owed: texts.amount(isPositive(owed) ? owed : zero(currencyId)),
          held: texts.amount(isPositive(held) ? held : zero(currencyId)),
        };
      }),
    ),
  });
};

export const handleCurrencySuspend: Handler<'currencies.suspend'> = async (call, request) => {
  const { deps, nowMs } = call;
  const { currency_id: currencyId, reason } = request;
  if (deps.catalogue.find(currencyId) === null) return unknown('currency');
  const isNew = await deps.transact(async (tx) => {
    const suspended = await suspendByHand(tx, { currencyId, reason, nowMs });
    if (suspended) await call.record(tx, { subject: String(currencyId), detail: reason });
    return suspended;
  });
  return isNew ? answer({}) : refusal('changed', 'the currency is suspended already');
};

export const handleCurrencyResume: Handler<'currencies.resume'> = async (call, request) => {
  const { currency_id: currencyId } = request;
  const was = await call.deps.transact(async (tx) => {
    const resumed = await resumeByHand(tx, currencyId);
    if (resumed) await call.record(tx, { subject: String(currencyId) });
    return resumed;
  });
  return was ? answer({}) : refusal('changed', 'the currency is not suspended');
};
