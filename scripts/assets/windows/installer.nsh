; What the installer does beyond electron-builder's own steps. Both macros are of the person that installs.

; Files are offered under "Open with": what opens them by default stays what it is.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer" "" "Partial download or parts list"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\.part\OpenWithProgids" "Sluice.Transfer" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Sluice.Transfer" ""
!macroend

; The app registers sluice:// itself, so an update, which runs this too, leaves it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\sluice"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Sluice.Transfer"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.part\OpenWithProgids" "Sluice.Transfer"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Sluice.Transfer"
    MessageBox MB_OK|MB_ICONINFORMATION "Sluice is removed. Places, settings and unfinished transfers stay in $APPDATA\Sluice; delete that folder to remove them too." /SD IDOK
  ${endIf}
!macroend
