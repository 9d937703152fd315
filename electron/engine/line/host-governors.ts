// One governor for the downloads of each host, and one line for its uploads.

import type { ConnectionGovernors } from '../core/connections.ts'
import type { UploadLine } from '../core/upload-line.ts'
import { HostGovernor, type GovernorDeps } from './host-governor.ts'
import { createUploadLine } from './upload/create-upload-line.ts'

/** Hosts are told apart by name; what is learned of one is kept as long as the process lives. */
export function createConnectionGovernors(deps: GovernorDeps): ConnectionGovernors {
  const lines = new Map<string, UploadLine>()
  const hosts = new Map<string, HostGovernor>()
  return {
    join(name, onChange) {
      const host = hosts.get(name) ?? new HostGovernor(deps)
      hosts.set(name, host)
      return host.join(onChange)
    },
    uploadLine(name) {
      const line = lines.get(name) ?? createUploadLine({ ...deps, fixedWidth: null })
      lines.set(name, line)
      return line
    },
    refused: (name) => hosts.get(name)?.refused(),
    connections(name, direction) {
      return (direction === 'upload' ? lines.get(name)?.provenWidth : hosts.get(name)?.provenLimit) ?? null
    },
  }
}
