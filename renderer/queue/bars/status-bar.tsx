import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import { aboutEta } from '../../../shared/format/format-eta.ts'
import { joined } from '../../../shared/language/joined.ts'
import { isolated, t } from '../../../shared/language/translate.ts'
import { limitWords, offeredLimits } from '../../../shared/format/limit-words.ts'
import { changeSettings, useApp } from '../../state/app-store.ts'
import { resumePaused, usePlans } from '../../state/plans-store.ts'
import { useTotals } from '../../state/selectors.ts'
import { openDialog } from '../../state/ui/open-dialogs.ts'
import { run } from '../../state/ui/messages.ts'
import { Button } from '../../ui/button.tsx'
import { useSeconds } from '../../ui/hooks/use-time.ts'
import { MenuList, MenuPopover } from '../../ui/overlays/menu.tsx'
import { formatBytes, formatRate, formatTimeOfDay } from '../../words/format.ts'
import { LowSpeedButton } from './low-speed-button.tsx'
import styles from './status-bar.module.css'

/** Speeds, what is left and the limit, as text. */
export function StatusBar() {
  const { counts, uploadBytesPerSecond, downloadBytesPerSecond, remainingBytes, pausedBytes, etaSeconds } = useTotals()
  // The time left covers only transfers that go on by themselves, so the bytes beside it do, too.
  const goesOn = counts.active + counts.waiting > 0
  const leftBytes = goesOn ? remainingBytes - pausedBytes : remainingBytes
  const isLowSpeed = usePlans(({ lowSpeed }) => lowSpeed.isOn)
  const parts = [
    // What needs attention comes first: a narrow window cuts off the end and hides the sidebar.
    counts.attention > 0 ? t('queue.status.need', { count: counts.attention }) : '',
    counts.waiting > 0 ? t('queue.status.waiting', { count: counts.waiting }) : '',
    leftBytes > 0 ? t('queue.status.left', { amount: formatBytes(leftBytes) }) : '',
    counts.active > 0 && etaSeconds !== null ? aboutEta(etaSeconds) : '',
    counts.paused > 0 ? t('queue.status.paused', { count: counts.paused }) : '',
    counts.all > 0 && counts.done === counts.all ? t('queue.status.done') : '',
  ]
  return (
    <footer className={styles['bar']} aria-label={t('queue.status.title')}>
      {uploadBytesPerSecond > 0 && (
        <span className={styles['rate']}>
          <ArrowUp size={12} role="img" aria-label={t('queue.status.upload-speed')} />{' '}
          {formatRate(uploadBytesPerSecond)}
        </span>
      )}
      {downloadBytesPerSecond > 0 && (
        <span className={styles['rate']}>
          <ArrowDown size={12} role="img" aria-label={t('queue.status.download-speed')} />{' '}
          {formatRate(downloadBytesPerSecond)}
        </span>
      )}
      <Facts facts={parts.filter((part) => part !== '')} />
      <TimedPauseNote />
      <LowSpeedButton />
      {/* At low speed, only the lower limit matters. */}
      {!isLowSpeed && <LimitMenu />}
    </footer>
  )
}

/** Each is seen whole or not at all: a number that is cut off says something wrong. */
function Facts({ facts }: { readonly facts: readonly string[] }) {
  return (
    <span className={styles['left']} title={joined(...facts)}>
      {facts.map((fact, index) => (
        <span key={index} className={styles['fact']}>
          {index === 0 ? isolated(fact) : ` · ${isolated(fact)}`}
        </span>
      ))}
    </span>
  )
}

/** Says until when everything is paused, with a button to resume. */
function TimedPauseNote() {
  const untilMs = usePlans((plans) => plans.pausedUntilMs)
  const nowMs = useSeconds(untilMs !== null)
  return untilMs === null ? null : (
    <span className={styles['pause']}>
      <span>{t('queue.status.paused-until', { time: formatTimeOfDay(untilMs, nowMs) })}</span>
      <Button look="quiet" className={styles['limit']} onPress={resumePaused}>
        {t('queue.status.resume-now')}
      </Button>
    </span>
  )
}

function LimitMenu() {
  const limit = useApp((state) => state.settings.limitBytesPerSecond)
  const entries = [
    ...offeredLimits(limit).map((offered) => ({ id: String(offered ?? 'off'), label: limitWords(offered) })),
    { id: 'other', label: t('queue.status.limit-other'), startsGroup: true },
  ]
  return (
    <MenuTrigger>
      <Button look="quiet" className={styles['limit']}>
        {t('queue.status.limit', { limit: limitWords(limit) })}
        <ChevronDown size={12} aria-hidden />
      </Button>
      <MenuPopover placement="top end">
        <MenuList
          label={t('queue.status.limit-menu')}
          entries={entries}
          checked={limit === null ? 'off' : String(limit)}
          onAction={choose}
        />
      </MenuPopover>
    </MenuTrigger>
  )
}

function choose(id: string): void {
  if (id === 'other') openDialog({ kind: 'settings', tab: 'bandwidth' })
  else run(changeSettings({ limitBytesPerSecond: id === 'off' ? null : Number(id) }))
}
