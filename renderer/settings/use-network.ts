import { useEffect, useState } from 'react'
import type { NetworkState } from '../../shared/ipc/network-requests.ts'
import { request } from '../bridge.ts'
import { run } from '../state/ui/messages.ts'

/** Main's network settings; null until they have arrived. The function takes main's answer to a change. */
export function useNetwork(): readonly [NetworkState | null, (changed: NetworkState) => void] {
  const [state, setState] = useState<NetworkState | null>(null)
  useEffect(() => {
    run(request('network:get', null).then(setState))
  }, [])
  return [state, setState]
}
