import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { root } from '../../lib/paths.mjs'

// The commands by which each client does the same upload. Sluice gets no options; the peers get those that make them
// fast.
// A file: { target, source, key, streams, folder }. Many: { target, source, names, prefix, folder }, `source` a folder.
// Back again: { target, key, path, streams, folder }.
// `target`: { kind: 'demo' | 's3', endpoint, bucket, accessKey, secretKey }. `folder` is for this client and key only.

/** Requests at a time if the scenario doesn't say how many. Each peer's own default is lower. */
const MANY = 32

const sluice = (checkout, target, folder, ...words) => ({
  argv: [process.execPath, join(checkout, 'out', 'cli.js'), ...words],
  env: {
    SLUICE_STATE_DIR: join(folder, 'state'),
    SLUICE_ENDPOINT: target.endpoint,
    SLUICE_BUCKET: target.bucket,
    ...(target.kind === 'demo'
      ? {}
      : { SLUICE_DIALECT: 's3', SLUICE_ACCESS_KEY: target.accessKey, SLUICE_SECRET_KEY: target.secretKey }),
  },
})

/** Sluice as built in a checkout. */
export const uploadingSluiceIn = (checkout, name = 'sluice') => ({
  name,
  isOurs: checkout === root,
  program: process.execPath,
  manyLabel: name,
  file: ({ target, source, key, folder }) => sluice(checkout, target, folder, 'put', source, key),
  back: ({ target, key, path, folder }) => sluice(checkout, target, folder, 'get', key, path),
  many: ({ target, source, names, prefix, folder }) =>
    sluice(checkout, target, folder, 'put', ...names.map((name) => join(source, name)), `${prefix}/`),
})

const CURL = {
  name: 'curl',
  program: 'curl',
  needs: 'demo',
  label: () => 'curl -T',
  file: ({ target, source, key }) => ({
    argv: ['curl', '-fsS', '-T', source, `${target.endpoint}/${target.bucket}/${key}`],
  }),
}

const rclone = ({ endpoint, accessKey, secretKey }, ...words) => ({
  argv: ['rclone', '--config', '', '-q', '--retries', '10', ...words],
  env: {
    RCLONE_CONFIG_PEER_TYPE: 's3',
    RCLONE_CONFIG_PEER_PROVIDER: 'Ceph',
    RCLONE_CONFIG_PEER_ENDPOINT: endpoint,
    RCLONE_CONFIG_PEER_ACCESS_KEY_ID: accessKey,
    RCLONE_CONFIG_PEER_SECRET_ACCESS_KEY: secretKey,
    // Its S3 client refuses to start if this is set.
    AWS_CA_BUNDLE: undefined,
  },
})

const RCLONE = {
  name: 'rclone',
  program: 'rclone',
  needs: 's3',
  label: ({ streams }) => `rclone, ${streams} at a time`,
  manyLabel: `rclone --transfers ${MANY}`,
  file: ({ target, source, key, streams }) =>
    rclone(
      target,
      ...['--s3-no-check-bucket', '--s3-upload-concurrency', String(streams), '--s3-chunk-size', '8M'],
      ...['--s3-upload-cutoff', '16M', 'copyto', source, `peer:${target.bucket}/${key}`],
    ),
  back: ({ target, key, path, streams }) =>
    rclone(
      target,
      ...['--multi-thread-streams', String(streams), '--multi-thread-cutoff', '1M'],
      ...['copyto', `peer:${target.bucket}/${key}`, path],
    ),
  many: ({ target, source, prefix }) =>
    rclone(
      target,
      ...['--s3-no-check-bucket', '--transfers', String(MANY), '--checkers', String(MANY)],
      ...['copy', source, `peer:${target.bucket}/${prefix}/`],
    ),
}

async function aws({ target, streams, folder }, from, to) {
  const configFile = join(folder, 'aws.config')
  await writeFile(configFile, `[default]\nregion = us-east-1\ns3 =\n  max_concurrent_requests = ${streams}\n`)
  return {
    argv: ['aws', 's3', 'cp', '--only-show-errors', '--endpoint-url', target.endpoint, from, to],
    env: {
      AWS_CONFIG_FILE: configFile,
      AWS_ACCESS_KEY_ID: target.accessKey,
      AWS_SECRET_ACCESS_KEY: target.secretKey,
    },
  }
}

const AWS = {
  name: 'aws',
  program: 'aws',
  needs: 's3',
  label: ({ streams }) => `aws s3 cp, ${streams} at a time`,
  file: ({ source, ...job }) => aws(job, source, `s3://${job.target.bucket}/${job.key}`),
  back: ({ path, ...job }) => aws(job, `s3://${job.target.bucket}/${job.key}`, path),
}

function s3cmd({ endpoint, accessKey, secretKey }, ...words) {
  const { host } = new URL(endpoint)
  return {
    argv: [
      ...['s3cmd', '-q', '--config=/dev/null', '--no-ssl', `--host=${host}`, `--host-bucket=${host}`],
      ...[`--access_key=${accessKey}`, `--secret_key=${secretKey}`, '--region=us-east-1', ...words],
    ],
  }
}

const S3CMD = {
  name: 's3cmd',
  program: 's3cmd',
  needs: 's3',
  file: ({ target, source, key }) => s3cmd(target, 'put', source, `s3://${target.bucket}/${key}`),
  back: ({ target, key, path }) => s3cmd(target, 'get', `s3://${target.bucket}/${key}`, path),
  /** It continues an upload only when given its id. */
  resume: (command, uploadId) => ({
    ...command,
    argv: command.argv.flatMap((word) => (word === 'put' ? ['put', `--upload-id=${uploadId}`] : [word])),
  }),
}

export const UPLOAD_CLIENTS = [uploadingSluiceIn(root), CURL, RCLONE, AWS, S3CMD]
