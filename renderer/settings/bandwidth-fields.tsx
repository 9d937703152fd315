import type { SpeedSchedule } from '../../shared/settings.ts'
import { Checkbox } from '../ui/fields.tsx'
import styles from './settings-sheet.module.css'
import { MINUTE_OF_DAY, RATE, SOME_RATE } from './typed-values.ts'
import type { SettingsEditor } from './use-settings.ts'
import { ValueField } from './value-field.tsx'

/** The limits, and when the lower one holds. */
export function BandwidthFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  return (
    <>
      <ValueField
        label="Speed limit in MB/s"
        value={settings.limitBytesPerSecond}
        writing={RATE}
        placeholder="Off"
        hint="For all transfers together. Leave empty for no limit."
        onChange={(rate) => set({ limitBytesPerSecond: rate })}
      />
      <div className={styles['pair']}>
        <ValueField
          label="Upload limit in MB/s"
          value={settings.uploadLimitBytesPerSecond}
          writing={RATE}
          placeholder="Off"
          onChange={(rate) => set({ uploadLimitBytesPerSecond: rate })}
        />
        <ValueField
          label="Download limit in MB/s"
          value={settings.downloadLimitBytesPerSecond}
          writing={RATE}
          placeholder="Off"
          onChange={(rate) => set({ downloadLimitBytesPerSecond: rate })}
        />
      </div>
      <ValueField
        label="Low speed in MB/s"
        value={settings.lowSpeedBytesPerSecond}
        writing={SOME_RATE}
        hint="For when others need the connection. Turn it on and off in the status bar or the Transfer menu."
        onChange={(rate) => set({ lowSpeedBytesPerSecond: rate })}
      />
      <ScheduleFields schedule={settings.lowSpeedSchedule} onChange={(next) => set({ lowSpeedSchedule: next })} />
    </>
  )
}

/** Monday first. */
const DAYS = [
  { day: 1, short: 'Mon', name: 'Monday' },
  { day: 2, short: 'Tue', name: 'Tuesday' },
  { day: 3, short: 'Wed', name: 'Wednesday' },
  { day: 4, short: 'Thu', name: 'Thursday' },
  { day: 5, short: 'Fri', name: 'Friday' },
  { day: 6, short: 'Sat', name: 'Saturday' },
  { day: 0, short: 'Sun', name: 'Sunday' },
]

interface ScheduleFieldsProps {
  readonly schedule: SpeedSchedule
  readonly onChange: (schedule: SpeedSchedule) => void
}

function ScheduleFields({ schedule, onChange }: ScheduleFieldsProps) {
  const { isOn, fromMinute, toMinute, weekdays } = schedule
  return (
    <div role="group" aria-label="Schedule" className={styles['schedule']}>
      <Checkbox isSelected={isOn} onChange={(is) => onChange({ ...schedule, isOn: is })}>
        Use low speed on a schedule
      </Checkbox>
      {isOn && (
        <>
          <div className={styles['times']}>
            <ValueField
              type="time"
              label="From"
              value={fromMinute}
              writing={MINUTE_OF_DAY}
              onChange={(minute) => onChange({ ...schedule, fromMinute: minute })}
            />
            <ValueField
              type="time"
              label="To"
              value={toMinute}
              writing={MINUTE_OF_DAY}
              onChange={(minute) => onChange({ ...schedule, toMinute: minute })}
            />
          </div>
          <div role="group" aria-label="Days" className={styles['days']}>
            {DAYS.map(({ day, short, name }) => (
              <span key={day}>
                <Checkbox
                  label={name}
                  isSelected={weekdays.includes(day)}
                  onChange={(is) => {
                    const others = weekdays.filter((each) => each !== day)
                    onChange({ ...schedule, weekdays: is ? [...others, day].sort() : others })
                  }}
                >
                  {short}
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
  if (weekdays.length === 0) return 'Choose at least one day.'
  if (toMinute === fromMinute) return 'Lasts a whole day from that time.'
  return toMinute < fromMinute ? 'Ends on the next day.' : 'Ends on the same day.'
}
