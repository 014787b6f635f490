// Renders the chart with helm, and reads what comes out as Kubernetes and the gateway would.
//
//   node deploy/helm/trial.mjs [--helm PROGRAM]
//
// Needs helm 3 and the built workspace.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadConfig } from '@ducat/gateway/config/load-config';
import { parseAllDocuments, stringify } from 'yaml';

const chart = fileURLToPath(new URL('ducat', import.meta.url));
const { values } = parseArgs({ options: { helm: { type: 'string', default: 'helm' } } });
const helm = (...args) => execFileSync(values.helm, args, { encoding: 'utf8' });
const work = mkdtempSync(join(tmpdir(), 'ducat-chart-'));

const chains = {
  ETH: { rpc_urls: ['https://one.test/key', 'https://two.test/key'], confirmations: 12, chain_id: 11155111 },
  WKC: {
    rpc_urls: ['http://10.0.0.1:8545'],
    chain_id: 12345,
    currencies: [
      { currency_id: 4000, symbol: 'WKC' },
      { currency_id: 4900, symbol: 'USDT', contract: `0x${'ab'.repeat(20)}`, decimals: 6 },
    ],
  },
};
const api = { trusted_proxies: ['10.1.0.0/16'] };
const keyId = '0011223344556677';
const runs = {
  'as it stands, with the addresses of the Ingress': { config: { api } },
  'with chains': { config: { api, chains }, signer: { keyId } },
  'with all that can be switched on': {
    config: { chains, api },
    signer: { keyId, signs: true },
    components: {
      api: { autoscale: { minReplicas: 2, maxReplicas: 6, targetCPUUtilizationPercentage: 70 } },
      payer: { enabled: true },
      collector: { enabled: true },
    },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    ingress: { className: 'nginx', annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' } },
    imagePullSecrets: [{ name: 'registry' }],
  },
  stopped: { stopped: true, config: { api } },
  'stopped, with the toolbox': { stopped: true, toolbox: { enabled: true }, config: { api, chains } },
  'for a ceremony, without the rest': {
    signer: { ceremony: true },
    networkPolicy: { enabled: false },
    ingress: { enabled: false },
    config: { api: { public_url: 'https://pay.test' } },
  },
  'with a signer elsewhere': { signer: { enabled: false, host: 'keys.test' }, config: { api } },
};

try {
  for (const [name, given] of Object.entries(runs)) {
    const file = join(work, 'values.yaml');
    writeFileSync(file, stringify(given));
    helm('lint', '--strict', '--quiet', chart, '--values', file);
    const rendered = helm('template', 'shop', chart, '--values', file, '--kube-version', '1.31.0');
    const objects = parseAllDocuments(rendered, { uniqueKeys: true }).map(asObject).filter(Boolean);
    const configs = objects.filter(({ kind }) => kind === 'Secret').flatMap(checkConfigs);
    for (const object of objects) checkObject(object, objects);
    if (given.stopped) checkStopped(objects);
    process.stdout.write(`${name}: ${objects.length} objects, ${configs.length} configurations, all right\n`);
  }
} finally {
  rmSync(work, { recursive: true });
}

function asObject(document) {
  if (document.errors.length > 0) throw document.errors[0];
  return document.toJS();
}

/** Each is read as the gateway reads it, with the files that it names. */
function checkConfigs({ metadata, stringData }) {
  return Object.entries(stringData).map(([key, toml]) => {
    const secrets = join(work, 'secrets');
    mkdirSync(secrets, { recursive: true });
    const files = ['master-secret', 'signer-client.pem', 'signer-client.key', 'signer-ca.pem'];
    const tokens = ['gateway', 'payer', 'collector'].map((client) => `signer-token-${client}`);
    for (const file of [...files, ...tokens])
      writeFileSync(join(secrets, file), '0123456789abcdef'.repeat(4), { mode: 0o600 });
    const path = join(work, 'ducat.toml');
    writeFileSync(path, toml.replaceAll('/run/ducat-secrets', secrets));
    const config = loadConfig(path, { DATABASE_URL: 'postgres://ducat:pw@database/ducat' });
    const [part] = key.split('.');
    if (part !== 'ducat' && config.roles.join() !== part)
      throw new Error(`${metadata.name} ${key} runs ${config.roles.join()}`);
    return config;
  });
}

/** No pod of a gateway is left, and the toolbox counts as none. */
function checkStopped(objects) {
  for (const { kind, metadata, spec } of objects)
    if (kind === 'Deployment' && spec.replicas !== (metadata.name.endsWith('-toolbox') ? 1 : 0))
      throw new Error(`${metadata.name} has ${spec.replicas} replicas`);
}

/** What refers to something by name or label has to find it. */
function checkObject(object, objects) {
  const { kind, metadata, spec = {} } = object;
  const fail = (why) => {
    throw new Error(`${kind} ${metadata.name}: ${why}`);
  };
  const named = (wanted, name) => objects.some((one) => one.kind === wanted && one.metadata.name === name);
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(metadata.name)) fail('is no DNS name');
  const pods = objects.filter((one) => one.spec?.template?.metadata?.labels !== undefined);
  const selects = (labels) =>
    pods.filter((one) =>
      Object.entries(labels).every(([key, value]) => one.spec.template.metadata.labels[key] === value),
    );
  if (kind === 'Service') {
    const [port] = spec.ports;
    const targets = selects(spec.selector);
    if (targets.length === 0) fail('selects nothing');
    for (const {
      spec: { template },
    } of targets)
      if (!template.spec.containers[0].ports.some(({ name }) => name === port.targetPort))
        fail(`${port.targetPort} is no port of what it selects`);
  }
  if (kind === 'Ingress')
    for (const { backend } of spec.rules.flatMap((rule) => rule.http.paths))
      if (!named('Service', backend.service.name)) fail(`there is no Service ${backend.service.name}`);
  if (kind === 'PodDisruptionBudget' && selects(spec.selector.matchLabels).length !== 1)
    fail('selects not one');
  if (kind === 'HorizontalPodAutoscaler') {
    const target = objects.find((one) => one.metadata.name === spec.scaleTargetRef.name);
    if (target?.spec.replicas !== undefined) fail('shares its replicas');
  }
  if (kind === 'NetworkPolicy')
    for (const from of (spec.ingress ?? []).flatMap((rule) => rule.from ?? []))
      if (from.podSelector && selects(from.podSelector.matchLabels).length !== 1)
        fail('lets in what is not there');
  const pod = spec.template?.spec;
  if (pod === undefined) return;
  if (selects(spec.selector?.matchLabels ?? spec.template.metadata.labels).length !== 1)
    fail('selects not itself');
  const volumes = [...pod.volumes, ...(spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata)];
  for (const container of [...pod.initContainers, ...pod.containers]) {
    for (const mount of container.volumeMounts)
      if (!volumes.some(({ name }) => name === mount.name)) fail(`there is no volume ${mount.name}`);
    const security = container.securityContext;
    if (security.readOnlyRootFilesystem !== true || security.capabilities.drop[0] !== 'ALL')
      fail('is not closed');
  }
  const tokens = JSON.stringify(pod.volumes).match(/signer-token-\w+/g) ?? [];
  if (
    /-(api|pages|notifier|watcher|maintenance|upgrade-check|toolbox)$/.test(metadata.name) &&
    tokens.length > 0
  )
    fail('has a token of the signer');
  for (const { secret } of pod.volumes)
    if (secret?.secretName.startsWith('shop') && !named('Secret', secret.secretName))
      fail(`there is no Secret ${secret.secretName}`);
  if (pod.securityContext.runAsNonRoot !== true) fail('may run as root');
}
