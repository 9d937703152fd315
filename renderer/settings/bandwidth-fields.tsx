import { rateUnit } from '../../shared/format/format-amount.ts'
import { localWeekday } from '../../shared/language/locale.ts'
import { t } from '../../shared/language/translate.ts'
import type { SpeedSchedule } from '../../shared/settings.ts'
import { Checkbox, FieldRow } from '../ui/fields/fields.tsx'
import styles from './settings-sheet.module.css'
import { MINUTE_OF_DAY, RATE, SOME_RATE } from './typed-values.ts'
import type { SettingsEditor } from './use-settings.ts'
import { ValueField } from './value-field.tsx'

/** The limits, and the schedule of low speed. */
export function BandwidthFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  const unit = rateUnit().name
  return (
    <>
      <ValueField
        label={t('settings.limit', { unit })}
        value={settings.limitBytesPerSecond}
        writing={RATE}
        placeholder={t('transfer.limit-off')}
        hint={t('settings.limit.hint')}
        onChange={(rate) => set({ limitBytesPerSecond: rate })}
      />
      <FieldRow>
        <ValueField
          label={t('settings.limit.upload', { unit })}
          value={settings.uploadLimitBytesPerSecond}
          writing={RATE}
          placeholder={t('transfer.limit-off')}
          onChange={(rate) => set({ uploadLimitBytesPerSecond: rate })}
        />
        <ValueField
          label={t('settings.limit.download', { unit })}
          value={settings.downloadLimitBytesPerSecond}
          writing={RATE}
          placeholder={t('transfer.limit-off')}
          onChange={(rate) => set({ downloadLimitBytesPerSecond: rate })}
        />
      </FieldRow>
      <ValueField
        label={t('settings.low-speed', { unit })}
        value={settings.lowSpeedBytesPerSecond}
        writing={SOME_RATE}
        hint={t('settings.low-speed.hint')}
        onChange={(rate) => set({ lowSpeedBytesPerSecond: rate })}
      />
      <ScheduleFields schedule={settings.lowSpeedSchedule} onChange={(next) => set({ lowSpeedSchedule: next })} />
    </>
  )
}

/** The days of the week, Monday first. */
const DAYS = [1, 2, 3, 4, 5, 6, 0]

interface ScheduleFieldsProps {
  readonly schedule: SpeedSchedule
  readonly onChange: (schedule: SpeedSchedule) => void
}

function ScheduleFields({ schedule, onChange }: ScheduleFieldsProps) {
  const { isOn, fromMinute, toMinute, weekdays } = schedule
  return (
    <div role="group" aria-label={t('settings.schedule')} className={styles['schedule']}>
      <Checkbox isSelected={isOn} onChange={(is) => onChange({ ...schedule, isOn: is })}>
        {t('settings.schedule.use')}
      </Checkbox>
      {isOn && (
        <>
          <div className={styles['times']}>
            <ValueField
              type="time"
              label={t('settings.schedule.from')}
              value={fromMinute}
              writing={MINUTE_OF_DAY}
              onChange={(minute) => onChange({ ...schedule, fromMinute: minute })}
            />
            <ValueField
              type="time"
              label={t('settings.schedule.to')}
              value={toMinute}
              writing={MINUTE_OF_DAY}
              onChange={(minute) => onChange({ ...schedule, toMinute: minute })}
            />
          </div>
          <div role="group" aria-label={t('settings.schedule.days')} className={styles['days']}>
            {DAYS.map((day) => (
              <span key={day}>
                <Checkbox
                  label={localWeekday(day, 'long')}
                  isSelected={weekdays.includes(day)}
                  onChange={(is) => {
                    const others = weekdays.filter((each) => each !== day)
                    onChange({ ...schedule, weekdays: is ? [...others, day].sort() : others })
                  }}
                >
                  {localWeekday(day, 'short')}
                </Checkbox>
              </span>
            ))}
          </div>
          <p className={styles['caption']}>{scheduleHint(schedule)}</p>
        </>
      )}
    </div>
  )
}

function scheduleHint({ fromMinute, toMinute, weekdays }: SpeedSchedule): string {
  if (weekdays.length === 0) return t('settings.schedule.no-day')
  if (toMinute === fromMinute) return t('settings.schedule.whole-day')
  return t(toMinute < fromMinute ? 'settings.schedule.next-day' : 'settings.schedule.same-day')
}
