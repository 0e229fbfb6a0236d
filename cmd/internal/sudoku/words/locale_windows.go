package words

import "golang.org/x/sys/windows"

// settings returns the language that the user has chosen in the settings of Windows.
func settings() string {
	all, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(all) == 0 {
		return ""
	}
	return all[0]
}
