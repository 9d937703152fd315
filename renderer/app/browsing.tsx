// The view of a place, which takes the list's space.

export { BrowseToolbar } from '../browser/browse-toolbar.tsx'
export { BrowseView } from '../browser/browse-view.tsx'
export { ObjectInspector } from '../browser/inspector/object-inspector.tsx'
