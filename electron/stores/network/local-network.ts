import { BlockList } from 'node:net'

/** Addresses that routers assign at home and in offices: RFC 1918, RFC 4193, and link-local ones. */
const LOCAL = new BlockList()
LOCAL.addSubnet('10.0.0.0', 8)
LOCAL.addSubnet('172.16.0.0', 12)
LOCAL.addSubnet('192.168.0.0', 16)
LOCAL.addSubnet('169.254.0.0', 16)
LOCAL.addSubnet('fc00::', 7, 'ipv6')
LOCAL.addSubnet('fe80::', 10, 'ipv6')

/**
 * Returns whether a failure to connect may come from macOS blocking this app from the local network: from macOS 15 on,
 * the system then reports that there is no route, often without having asked the person (Apple, TN3179).
 */
export function isKeptOut(cause: Error, platform: NodeJS.Platform): boolean {
  if (platform !== 'darwin') return false
  // With several addresses, each has failed for a reason of its own.
  const failures: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return failures.some(
    (failure) =>
      failure instanceof Error &&
      'code' in failure &&
      failure.code === 'EHOSTUNREACH' &&
      'address' in failure &&
      isLocal(String(failure.address)),
  )
}

function isLocal(address: string): boolean {
  return LOCAL.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
