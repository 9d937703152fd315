/** Where a server is, and a key of somebody who may do everything there. */
export interface ServerAccess {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

/** A server under way. */
export interface RunningServer {
  readonly access: ServerAccess
  stop(): Promise<void>
}

export type ServerName = 'Ceph' | 's3rver'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: it can't be had here, and its tests are skipped. */
    servers: Readonly<Record<ServerName, ServerAccess | null>>
  }
}
