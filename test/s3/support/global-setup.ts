import type { TestProject } from 'vitest/node'
import { startCeph } from './ceph.ts'
import { startS3rver } from './s3rver.ts'

/** Starts the servers that can be had here. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [ceph, s3rver] = await Promise.all([startCeph(), startS3rver()])
  project.provide('servers', { Ceph: ceph?.access ?? null, s3rver: s3rver.access })
  return async () => {
    await Promise.all([ceph?.stop(), s3rver.stop()])
  }
}
