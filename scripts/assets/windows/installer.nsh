; What the installer does beyond electron-builder's own steps.

; Files are offered under "Open with": what opens them by default stays what it is.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer" "" "Partial download or parts list"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sluice.Transfer\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\.part\OpenWithProgids" "Sluice.Transfer" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Sluice.Transfer" ""
!macroend

; What the app registers itself goes with it: sluice://, its start with the session, installers of updates. An update, which
; runs this too, leaves all of it. For all users or for one: these are the person's own.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    SetShellVarContext current
    DeleteRegKey HKCU "Software\Classes\sluice"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "app.sluice.desktop"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "app.sluice.desktop"
    RMDir /r "$LOCALAPPDATA\sluice-updater"
    MessageBox MB_OK|MB_ICONINFORMATION "Sluice is removed. Places, settings and unfinished transfers stay in $APPDATA\Sluice, those of the command line in $LOCALAPPDATA\Sluice; delete these folders to remove them too." /SD IDOK
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\Sluice.Transfer"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.part\OpenWithProgids" "Sluice.Transfer"
    DeleteRegValue SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Sluice.Transfer"
  ${endIf}
!macroend
