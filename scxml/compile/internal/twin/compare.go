package twin

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed twin.go
var source string

// Compare runs the compiled charts of records, once with all hooks and once with shortcuts, and notes what differs: code that
// is not Go, too. It builds a program from files in the folder dir, as if they were in a Go module that requires this one.
func Compare(ctx context.Context, module, dir string, records []*Record) error {
	var program string
	for {
		var err error
		if program, err = build(ctx, module, dir, records); err == nil {
			break
		}
		good := slices.DeleteFunc(slices.Clone(records), func(r *Record) bool {
			at := strings.Index(err.Error(), r.Chart+".go:")
			if at >= 0 {
				r.Difference = fmt.Sprintf("it is not Go: %.300s", err.Error()[at:])
			}
			return at >= 0
		})
		if len(good) == len(records) || len(good) == 0 {
			return err
		}
		records = good
	}
	for _, shortcuts := range []bool{false, true} {
		all, err := run(ctx, program, records, shortcuts)
		if err != nil {
			return err
		}
		for i, r := range records {
			want, got := r.comparable(shortcuts), all[i]
			if why, ok := strings.CutPrefix(got[len(got)-1], "refused "); ok {
				got = got[:len(got)-1]
				want, r.Refused = want[:min(len(got), len(want))], why
			} else if saved, ok := strings.CutPrefix(got[len(got)-1], savedMark); ok {
				got, r.Saved = got[:len(got)-1], append(r.Saved, saved)
			}
			if text := Difference(want, got); text != "" && r.Difference == "" {
				r.Difference = text
				if shortcuts {
					r.Difference = "with shortcuts:\n" + text
				}
			}
		}
	}
	return nil
}

var lineMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^//line .*$`) })

// build returns a program that runs charts.
func build(ctx context.Context, module, dir string, records []*Record) (program string, err error) {
	files := map[string]string{"driver.go": strings.Replace(source, "\npackage twin\n", "\npackage main\n", 1)}
	var main strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"os\"\n\n\t\"github.com/scxmlrun/scxmlrun/scxml/machine\"\n)\n\nfunc main() {\n")
	for _, r := range records {
		if files[r.Chart+".go"] == "" {
			files[r.Chart+".go"] = lineMark().ReplaceAllString(string(r.code), "") // so that errors name the chart
			main.WriteString(r.registration())
		}
	}
	main.WriteString("if err := Main(os.Stdin, os.Stdout); err != nil {\npanic(err)\n}\n}\n")
	files["main.go"] = main.String()
	place := filepath.Base(dir) // which the module does not have
	replace := map[string]string{}
	for name, code := range files {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(module, place, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "program.exe") // as Windows wants it
	// These flags save half of the time.
	cmd := exec.CommandContext(ctx, "go", "build", "-gcflags=-N -l -e -dwarf=false", "-ldflags=-s -w", "-overlay", overlayFile, "-o", program, "./"+place)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return "", context.Cause(ctx)
	} else if err != nil {
		return "", fmt.Errorf("go build: %w\n%.50000s", err, bytes.TrimSpace(out))
	}
	return program, nil
}

// run returns the transcripts of the compiled charts. The end of the process is part of that of the chart which has
// ended it.
func run(ctx context.Context, program string, records []*Record, shortcuts bool) (all [][]string, err error) {
	for len(all) < len(records) {
		var in, stderr bytes.Buffer
		enc := json.NewEncoder(&in)
		for _, r := range records[len(all):] {
			job := r.Job
			job.Shortcuts = shortcuts
			if err := enc.Encode(job); err != nil {
				return nil, err
			}
		}
		cmd := exec.CommandContext(ctx, program)
		cmd.Stdin, cmd.Stderr = &in, &stderr
		out, err := cmd.Output()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		complete := strings.SplitAfter(string(out), "\n\n")
		for _, text := range complete[:len(complete)-1] {
			all = append(all, strings.Split(strings.TrimSuffix(text, "\n\n"), "\n"))
		}
		if len(all) < len(records) {
			message, _, _ := strings.Cut(stderr.String(), "\n")
			all = append(all, []string{fmt.Sprintf("the process has ended: %v: %s", err, strings.TrimSpace(message))})
		}
	}
	return all, nil
}

// registration is Go code that registers a chart by the name of its type.
func (r *Record) registration() string {
	var hooks strings.Builder
	for _, h := range r.hooks {
		fmt.Fprintf(&hooks, "%s: func(%s) { sent(%q) },\n", h.field, h.data, h.event)
	}
	return fmt.Sprintf(`Register(%[1]q, func(o machine.Options, sent func(event string)) Machine {
	m := New%[1]s(%[1]sHooks{
		%[3]s})
	n := (*%[2]sNode)(m)
	machine.SetUp(n, o)
	return Machine{
		Node: n, Start: m.Start, Advance: m.Advance, Stop: m.Stop, Data: m.Item, Send: m.Send,
		Handle: func(num uint16) bool { return m.Handle(%[1]sEvent(num)) },
	}
})
`, r.Chart, lower(r.Chart), hooks.String())
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// A hook is what a compiled chart calls for an event that it sends.
type hook struct{ event, field, data string }

var (
	hookField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\t(\w+) +func\((\w*)\) +// <send`) })
	hookEvent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`case ("(?:[^"\\]|\\.)*"):\s+if m\.hooks\.(\w+) != nil`)
	})
)

// findHooks reads the hooks of a compiled chart, without those of the charts that it invokes, from its code.
func findHooks(name, code string) (all []hook) {
	part := func(begin string) string {
		_, after, _ := strings.Cut(code, begin)
		text, _, _ := strings.Cut(after, "\n}\n")
		return text
	}
	data := map[string]string{}
	for _, m := range hookField().FindAllStringSubmatch(part("\ntype "+name+"Hooks struct {"), -1) {
		data[m[1]] = m[2]
	}
	for _, m := range hookEvent().FindAllStringSubmatch(part("\nfunc (m *"+lower(name)+"Node) Sent("), -1) {
		event, err := strconv.Unquote(m[1])
		if err != nil {
			panic(err) // the code is ours
		}
		all = append(all, hook{event, m[2], data[m[2]]})
	}
	return all
}

// comparable returns those lines of the interpreter's transcript that a job has, too.
func (r *Record) comparable(shortcuts bool) []string {
	hooks := map[string]bool{}
	for _, h := range r.hooks {
		hooks["hook "+strconv.Quote(h.event)] = true
	}
	return slices.DeleteFunc(slices.Clone(r.Lines), func(line string) bool {
		word, _, _ := strings.Cut(line, " ")
		return word == "hook" && !hooks[line] || shortcuts && slices.Contains([]string{"sent", "unhandled", "entered", "exited", "took"}, word)
	})
}

// Difference shows where two transcripts begin to differ, or is "".
func Difference(want, got []string) string {
	for i := 0; i < len(want) || i < len(got); i++ {
		if i < len(want) && i < len(got) && want[i] == got[i] {
			continue
		}
		var b strings.Builder
		show := func(who string, lines []string, from, to int) {
			for _, line := range lines[min(max(from, 0), len(lines)):min(to, len(lines))] {
				fmt.Fprintf(&b, "  %-11s %.300s\n", who, line)
			}
		}
		show("", want, i-8, i)
		show("interpreter", want, i, i+4)
		show("compiled", got, i, i+4)
		return b.String()
	}
	return ""
}
