import type { Network } from '../network/network.ts'
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts'

/** The connections of one store, which a redirect or a region may lead from origin to origin. */
export interface ConnectionPools {
  /** The pool of an origin, `http://host[:port]` or `https://host[:port]`; the same one each time. */
  of(origin: string): ConnectionPool
  /** Closes idle connections to all of them now, and busy ones after their exchange. */
  close(): Promise<void>
  /** Ends every connection to any of them, the busy ones with a network error. */
  destroyAll(): void
}

/** Creates the pools of a store; each is made when its origin is first asked for. */
export function createConnectionPools(network?: Network): ConnectionPools {
  const pools = new Map<string, ConnectionPool>()
  return {
    of(origin) {
      const pool = pools.get(origin) ?? createConnectionPool(origin, network)
      pools.set(origin, pool)
      return pool
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
    destroyAll() {
      for (const pool of pools.values()) pool.destroyAll()
    },
  }
}
