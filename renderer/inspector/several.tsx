import { useEffect, useReducer } from 'react'
import { aboutEta } from '../../shared/format/format-eta.ts'
import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { limitsOf } from '../../shared/settings.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { copyDetails } from '../actions/copy-details.ts'
import { useApp } from '../state/app-store.ts'
import { usePlans } from '../state/plans-store.ts'
import { drawnRow, onRowChanges } from '../state/queue/queue-store.ts'
import { Button } from '../ui/button.tsx'
import { FactList, type Fact } from '../ui/fact-list.tsx'
import { Meter } from '../ui/meter.tsx'
import { PanelFoot, PanelHead, Section } from '../ui/panel.tsx'
import { formatBytes, formatCount, formatProgress, formatRate } from '../words/format.ts'
import { groupWords } from '../words/group-words.ts'
import { sumRows, type SelectionProgress, type SelectionSums } from './selection-sums.ts'

/** The sums of several selected transfers. */
export function Several({ selection }: { readonly selection: ReadonlySet<TransferId> }) {
  const sums = useSums(selection)
  return (
    <>
      <PanelHead title={t('inspector.selected', { count: selection.size })} />
      {sums.progress !== null && <Progress {...sums.progress} />}
      <Section title={t('inspector.details')}>
        <FactList facts={factsOf(sums)} />
      </Section>
      <PanelFoot>
        <Button onPress={() => copyDetails([...selection])}>{commandLabel('copy-details')}</Button>
      </PanelFoot>
    </>
  )
}

function useSums(selection: ReadonlySet<TransferId>): SelectionSums {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  useEffect(() => onRowChanges(redraw), [])
  const settings = useApp((state) => state.settings)
  const isLowSpeed = usePlans(({ lowSpeed }) => lowSpeed.isOn)
  const rows = [...selection].map(drawnRow).filter((row) => row !== undefined)
  return sumRows(rows, limitsOf(settings, isLowSpeed))
}

function Progress({ confirmedBytes, sizeBytes, etaSeconds }: SelectionProgress) {
  const timeLeft = etaSeconds === null ? '' : aboutEta(etaSeconds)
  return (
    <Meter label={t('queue.head.progress')} done={confirmedBytes} total={sizeBytes}>
      {joined(formatProgress(confirmedBytes, sizeBytes), timeLeft)}
    </Meter>
  )
}

function factsOf({ groups, sizeBytes, confirmedBytes, bytesPerSecond }: SelectionSums): readonly Fact[] {
  return [
    ...groups.map(({ group, count }) => ({ label: groupWords(group), value: formatCount(count) })),
    ...(sizeBytes === null ? [] : [{ label: t('inspector.fact.size'), value: formatBytes(sizeBytes) }]),
    ...(confirmedBytes === sizeBytes
      ? []
      : [{ label: t('inspector.fact.confirmed'), value: formatBytes(confirmedBytes) }]),
    ...(bytesPerSecond > 0 ? [{ label: t('inspector.speed.title'), value: formatRate(bytesPerSecond) }] : []),
  ]
}
