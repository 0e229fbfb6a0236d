//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeProgram puts a program on the PATH that writes its arguments, each in a line and in brackets, to
// a log, and the picture to the file that an expression of sed finds in the last one.
func fakeProgram(t *testing.T, folder, name, fileInLast string) {
	t.Helper()
	script := fmt.Sprintf(`#!/bin/sh
for last; do echo "[$last]" >>"%[1]s/log"; done
file=$(printf '%%s' "$last" | sed -n "%[2]s")
printf picture >"$file"
`, folder, fileInLast)
	if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// The programs of each system get the arguments that they need, whatever the name of the folder for
// temporary files is.
func TestProgramsOfOtherSystemsGetTheirArguments(t *testing.T) {
	const all, inPowerShell, inAppleScript = `p`, `s/.*Save('\\(.*\\)').*/\\1/;s/''/'/gp`, `s/.*POSIX file \"\\(.*\\)\" with.*/\\1/p`
	tests := []struct {
		system, program, file string
		options               screenshotOptions
		want                  string // the arguments, with FILE
	}{
		{"darwin", "screencapture", all, screenshotOptions{}, "[-x]\n[FILE]\n"},
		{"darwin", "screencapture", all, screenshotOptions{window: true}, "[-x]\n[-w]\n[FILE]\n"},
		{"darwin", "osascript", inAppleScript, screenshotOptions{clipboard: true},
			"[-e]\n[set f to open for access POSIX file \"FILE\" with write permission\nwrite (the clipboard as «class PNGf») to f\nclose access f]\n"},
		{"windows", "powershell", inPowerShell, screenshotOptions{}, "[-NoProfile]\n[-Command]\n[" + powershellScreen + "]\n"},
		{"windows", "powershell", inPowerShell, screenshotOptions{clipboard: true}, "[-NoProfile]\n[-STA]\n[-Command]\n[" + powershellClipboard + "]\n"},
		{"linux", "spectacle", all, screenshotOptions{window: true}, "[-b]\n[-n]\n[-u]\n[-o]\n[FILE]\n"},
		{"linux", "gnome-screenshot", all, screenshotOptions{}, "[-f]\n[FILE]\n"},
	}
	path := os.Getenv("PATH")
	for _, test := range tests {
		name := fmt.Sprint(test.system, " ", test.program, " ", test.options.window, " ", test.options.clipboard)
		programs, temporary := t.TempDir(), filepath.Join(t.TempDir(), "Pat O'Brien")
		if err := os.Mkdir(temporary, 0o700); err != nil {
			t.Fatal(err)
		}
		fakeProgram(t, programs, test.program, test.file)
		t.Setenv("PATH", programs+string(filepath.ListSeparator)+path)
		t.Setenv("DISPLAY", "")
		t.Setenv("WAYLAND_DISPLAY", "")
		file := filepath.Join(temporary, "screen.png")
		test.options.system = test.system
		picture, program, err := test.options.grab(t.Context(), file)
		if string(picture) != "picture" || program != test.program || err != nil {
			t.Errorf("%s: picture %q of %s, error %v", name, picture, program, err)
		}
		quoted := file
		if test.system == "windows" {
			quoted = strings.ReplaceAll(file, "'", "''")
		}
		log, err := os.ReadFile(filepath.Join(programs, "log"))
		if want := strings.ReplaceAll(test.want, "FILE", quoted); string(log) != want || err != nil {
			t.Errorf("%s: arguments\n%swant\n%s%v", name, log, want, err)
		}
	}
}

// Where no program is installed, the error names those to install.
func TestProgramsToInstallAreNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("DISPLAY", ":0")
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	for want, o := range map[string]screenshotOptions{
		"cannot take a picture of the screen: install \"grim\", \"spectacle\", \"gnome-screenshot\", \"maim\" or \"scrot\", or": {system: "linux"},
		"cannot take a picture of a window: install \"spectacle\", \"gnome-screenshot\", \"maim\" or \"scrot\", or":             {system: "linux", window: true},
		"cannot read the clipboard: install \"wl-paste\" or \"xclip\", or":                                                      {system: "linux", clipboard: true},
		"cannot take a picture of the screen: install \"screencapture\", or":                                                    {system: "darwin"},
		"cannot take a picture of a window: no program for it is known here; save a picture and":                                {system: "windows", window: true},
		"cannot take a picture of the screen: no program for it is known here; save a picture and":                              {system: "plan9"},
	} {
		if _, _, err := o.grab(t.Context(), "screen.png"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", o, err, want)
		}
	}
}
