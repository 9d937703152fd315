import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferDetails, TransferRow, UnitState } from '../../shared/transfer/transfer.ts'
import { formatBytes } from '../words/format.ts'
import { drawCell, type CellColors } from './draw-cell.ts'
import { cellAt, countCells, layoutMap, nameCell, type MapLayout } from './parts-map-layout.ts'
import styles from './parts-map.module.css'

/** The inner width of the inspector beside a scrollbar, used until it is measured, pixels. */
const USUAL_WIDTH = 256

type Direction = TransferRow['direction']

function wordFor(state: UnitState, direction: Direction): string {
  return t(`inspector.cell.${state}`, { direction })
}

/** Every part or range as a cell. The legend says the same in words and numbers. */
export function PartsMap({ row, details }: { readonly row: TransferRow; readonly details: TransferDetails }) {
  const { cells, unitsPerCell, unitSizeBytes } = details
  const [pointed, setPointed] = useState<number | null>(null)
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area)
  const layout = layoutMap(cells.length, width)
  const { direction } = row
  const shown = pointed === null ? undefined : cells[pointed]
  const readout =
    pointed === null || shown === undefined
      ? sizeWords(direction, unitSizeBytes, unitsPerCell)
      : joined(nameCell(pointed, unitsPerCell, row.unitsTotal, direction), wordFor(shown, direction))

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -layout.columns, ArrowDown: layout.columns }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setPointed(Math.min(cells.length - 1, Math.max(0, (pointed ?? -1) + step)))
  }

  function onPointerMove(event: PointerEvent): void {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setPointed(cellAt(layout, cells.length, event.clientX - left, event.clientY - top))
  }

  return (
    <div className={styles['map']}>
      <div
        ref={area}
        role="slider"
        aria-roledescription={t('inspector.map.role')}
        tabIndex={0}
        aria-label={t('inspector.map.title', { direction })}
        aria-valuemin={1}
        aria-valuemax={cells.length}
        aria-valuenow={(pointed ?? 0) + 1}
        aria-valuetext={readout}
        className={styles['area']}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => {
          setPointed(null)
        }}
      >
        <MapCanvas cells={cells} layout={layout} mapWidth={width} />
      </div>
      <p className={styles['readout']}>{readout}</p>
      <Legend cells={cells} direction={direction} />
    </div>
  )
}

function sizeWords(direction: Direction, unitSizeBytes: number, unitsPerCell: number): string {
  const size = unitSizeBytes > 0 ? t('inspector.map.each', { size: formatBytes(unitSizeBytes) }) : ''
  const cells = unitsPerCell > 1 ? t('inspector.map.cell', { direction, count: unitsPerCell }) : ''
  return joined(cells, size)
}

interface MapCanvasProps {
  readonly cells: readonly UnitState[]
  readonly layout: MapLayout
  /** The width of the whole map, pixels. */
  readonly mapWidth: number
}

function MapCanvas({ cells, layout, mapWidth }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<readonly UnitState[]>([])
  const theme = useThemeCount()
  const { columns, pitch, rowPitch, width, cell, height } = layout

  // A new size or theme clears the canvas, so everything is drawn again.
  useEffect(() => {
    const element = canvas.current
    const pen = element?.getContext('2d')
    if (!element || !pen) return
    const scale = window.devicePixelRatio
    element.width = mapWidth * scale
    element.height = height * scale
    pen.scale(scale, scale)
    drawn.current = []
  }, [height, mapWidth, width, cell, theme])

  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen) return
    const colors = readColors()
    const before = drawn.current
    cells.forEach((state, index) => {
      if (before[index] === state) return
      const [x, y] = [(index % columns) * pitch, Math.floor(index / columns) * rowPitch]
      drawCell(pen, state, colors, { x, y, width, height: cell })
    })
    drawn.current = cells
  }, [cells, columns, pitch, rowPitch, mapWidth, width, cell, height, theme])

  return <canvas ref={canvas} aria-hidden className={styles['canvas']} style={{ width: mapWidth, height }} />
}

/** The width of an element that fills the panel, in whole pixels. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(USUAL_WIDTH)
  useLayoutEffect(() => {
    if (element.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** A counter that grows when colors or the screen's resolution change. */
function useThemeCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(min-resolution: 1.5dppx)']
    for (const query of queries) {
      const onChange = () => {
        setCount((before) => before + 1)
      }
      window.matchMedia(query).addEventListener('change', onChange, { signal: abort.signal })
    }
    return () => {
      abort.abort()
    }
  }, [])
  return count
}

function readColors(): CellColors {
  const tokens = getComputedStyle(document.documentElement)
  const token = (name: string) => tokens.getPropertyValue(name).trim()
  return {
    done: token('--cell-done'),
    found: token('--cell-found'),
    begun: token('--cell-done'),
    active: token('--cell-active'),
    waiting: token('--cell-waiting'),
    retrying: token('--cell-retrying'),
    failed: token('--cell-failed'),
    surface: token('--surface'),
  }
}

function Legend({ cells, direction }: { readonly cells: readonly UnitState[]; readonly direction: Direction }) {
  return (
    <ul className={styles['legend']}>
      {countCells(cells).map(([state, count]) => (
        <li key={state} className={styles['key']}>
          <LegendMark state={state} />
          {t('inspector.map.legend', { count, state: wordFor(state, direction) })}
        </li>
      ))}
    </ul>
  )
}

function LegendMark({ state }: { readonly state: UnitState }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeCount()
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (pen) drawCell(pen, state, readColors(), { x: 0, y: 0, width: 10, height: 10 })
  }, [state, theme])
  return <canvas ref={canvas} width={10} height={10} aria-hidden className={styles['mark']} />
}
