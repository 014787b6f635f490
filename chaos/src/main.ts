// The command line of the chaos run: real processes, really killed, and the exit code says whether anything was lost.
import { parseArgs } from 'node:util';
import { faults as allFaults } from './faults/faults.ts';
import { payoutFaults } from './payouts/payout-faults.ts';
import { patroniFaults } from './patroni/patroni-faults.ts';
import { patroniScene } from './patroni/patroni-scene.ts';
import { runPayouts } from './payouts/payout-run.ts';
import { replicatedScene } from './replicated-scene.ts';
import { run } from './run.ts';
import { tableOf } from './table.ts';

const usage = `npm run chaos -- [--cycles n] [--failovers n] [--seed s] [--minutes m] [--only fault]...
  --cycles        faults, each followed by proof that everything goes on; 30 unless said otherwise
  --failovers     deaths of the primary database under load, between the faults; 3 unless said otherwise
  --seed          what is done, to whom and in which order; drawn from the clock unless given, and printed
  --minutes       no new fault after so long; 120 unless said otherwise
  --payouts       money goes out too: payer, collector, signer and watcher are killed instead, without failovers
  --patroni       the database is a Patroni cluster of three, as Debian's packages install it, for root on Linux:
                  --failovers of its leader, --splits of the network, 1 unless said otherwise, and --cycles of the rest
  --asynchronous  COMMITs do not wait for the standby of the database: each failover loses, which has to be found
  --only          this fault alone, or these: ${Object.keys(allFaults).join(', ')};
                  with --payouts: ${Object.keys(payoutFaults).join(', ')};
                  with --patroni: ${Object.keys(patroniFaults).join(', ')}`;

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '30' },
    failovers: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    minutes: { type: 'string', default: '120' },
    only: { type: 'string', multiple: true },
    asynchronous: { type: 'boolean', default: false },
    payouts: { type: 'boolean', default: false },
    patroni: { type: 'boolean', default: false },
    splits: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const [cycles, failovers, seed, maxMinutes, splits] = [
  values.cycles,
  values.failovers,
  values.seed,
  values.minutes,
  values.splits,
].map(wholeNumber);
const faults = values.payouts ? payoutFaults : values.patroni ? patroniFaults : allFaults;
const unknown = (values.only ?? []).filter((name) => !Object.hasOwn(faults, name));
if (unknown.length > 0) {
  console.error(
    `no fault is named ${unknown.join(' or ')}; these are known: ${Object.keys(faults).join(', ')}`,
  );
  process.exitCode = 2;
} else if (
  values.help ||
  cycles === undefined ||
  failovers === undefined ||
  seed === undefined ||
  maxMinutes === undefined ||
  splits === undefined
) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const stopping = new AbortController();
  const stop = () => {
    // The second signal does not wait for the cycle; the reaper ends the processes that are left.
    if (stopping.signal.aborted) process.exit(130);
    console.log('stopping after this cycle; once more to stop at once');
    stopping.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', () => process.exit(143));
  const ofCluster = `${failovers} failovers and ${splits} splits of a Patroni cluster`;
  const about = values.payouts ? 'with payouts' : values.patroni ? ofCluster : `${failovers} failovers`;
  console.log(`seed ${seed}, ${cycles} cycles, ${about}`);
  const only = values.only === undefined ? {} : { only: values.only };
  const options = { seed, maxMinutes, report: console.log, signal: stopping.signal };
  const { asynchronous: isAsynchronous } = values;
  const result = values.payouts
    ? await runPayouts({ ...options, ...only, cycles })
    : values.patroni
      ? await run(patroniScene({ cycles, failovers, splits, ...only }), options)
      : await run(replicatedScene({ cycles, failovers, ...only, isAsynchronous }), options);
  console.log(`\n${tableOf(result)}\nseed ${seed}`);
  // Everything that was started has ended, so a connection that is still open must not delay the exit.
  process.exit(result.findings.length === 0 ? 0 : 1);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
