import { Component, type ReactNode } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { Button } from '../button.tsx'
import styles from './error-boundary.module.css'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** The data being drawn. When it changes, drawing is tried again. */
  readonly of?: unknown
  /** Shown in place of what can't be drawn; left out for the whole window. */
  readonly instead?: ReactNode
}

/**
 * Catches errors in drawing, which would otherwise leave an empty window. Around a part of the window, the rest stays.
 * Transfers go on in main.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.isBroken && before.of !== this.props.of) this.setState({ isBroken: false })
  }

  override render(): ReactNode {
    const { children, instead = <Broken /> } = this.props
    return this.state.isBroken ? instead : children
  }
}

function Broken() {
  return (
    <main role="alert" className={styles['broken']}>
      <p>{t('app.broken')}</p>
      <Button look="solid" onPress={() => window.location.reload()}>
        {t('app.reload')}
      </Button>
    </main>
  )
}
