import type { Network } from '../network/network.ts'
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts'

/** The connections of one store. A redirect or a region may lead it from origin to origin. */
export interface ConnectionPools {
  /** Returns the pool of an origin, `http://host[:port]` or `https://host[:port]`; the same one each time. */
  of(origin: string): ConnectionPool
  /** Closes idle connections to all origins now, and busy ones after their exchange. */
  close(): Promise<void>
  /** Ends every connection to every origin, the busy ones with a network error. */
  destroyAll(): void
}

/** Creates the pools of a store; each pool is made when its origin is first requested. */
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
