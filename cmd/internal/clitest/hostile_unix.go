//go:build unix

package clitest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scxmlrun/scxmlrun/cmd/internal/sudoku/shelf"
)

var (
	terminalRuns = flag.Int("terminal.runs", 25, "how many hostile inputs a program on a terminal gets")
	terminalSeed = flag.Uint64("terminal.seed", 1, "the first of their seeds")
)

var ordinary = pty.Winsize{Cols: 80, Rows: 24}

// Hostile runs a program that uses the whole screen on terminals that type anything, have any size, and go
// away. It must answer each key, show nothing but its screen, and leave the terminal as it was.
func Hostile(t *testing.T, args ...string) {
	t.Run("input", func(t *testing.T) { hostileInput(t, args) })
	t.Run("ends", func(t *testing.T) { hostileEnds(t, args) })
	t.Run("sizes", func(t *testing.T) { hostileSizes(t, args) })
}

// open starts a program that uses the whole screen. It cannot run others.
func open(t *testing.T, size pty.Winsize, args []string) *Terminal {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"TERM=xterm-256color", "LC_ALL=C.UTF-8", "PATH=/nowhere", "HOME=" + cmd.Dir, shelf.Variable + "=" + cmd.Dir, "GORACE=atexit_sleep_ms=0"}
	return Open(t, size, cmd)
}

// hostileInput gives programs hostile inputs. Each is followed by a key, after the time that somebody needs to
// press it.
func hostileInput(t *testing.T, args []string) {
	var next, restarts atomic.Int64
	var workers sync.WaitGroup
	for range 5 {
		workers.Go(func() {
			var p *Terminal
			for run := next.Add(1) - 1; run < int64(*terminalRuns) && !t.Failed(); run = next.Add(1) - 1 {
				seed := *terminalSeed + uint64(run)
				if p == nil {
					p = open(t, ordinary, args)
					if err := p.awaits(0, clear, patience); err != nil {
						t.Errorf("%v: %q", err, p.since(0))
						return
					}
				}
				input, pause := hostile(seed)
				n := p.written()
				p.master.Write(input)
				time.Sleep(pause)
				err := p.works()
				if err == errEnded { // by a key
					restarts.Add(1)
					if err = p.check(true); err == nil {
						p = nil
						continue
					}
				}
				if err != nil {
					t.Errorf("-terminal.seed=%d: %v after %q\n%q", seed, err, input, p.since(n))
					return
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d runs from seed %d, %d of which ended the program", *terminalRuns, *terminalSeed, restarts.Load())
}

// sequences are what terminals send.
var sequences = strings.Fields(`␛[A ␛OP ␛[1;5C ␛[5~ ␛[27;5;9~ ␛[97;5u ␛[65;30;97;1;0;1_ ␛[65;30;97;1;0;2147483647_ ␛[0;0;27;1;0;1_
	␛[<0;10;10M ␛[<0;10;10m ␛[<64;99999;99999M ␛[<2147483647;1;1M ␛[M!!! ␛[I ␛[O ␛[[A ␛␛[A ␛␛ ␛x ␛[?64;1;2c ␛[24;80R ␛[200~53..7␛[201~ ␛[200~ ␛[201~
	␛]0;title␛\ ␛]52;c;QUJD␇ ␛]11;rgb:0000/0000/0000␛\ ␛P1$r0m␛\ ␛P>|term␛\ ␛_Gi=1;OK␛\ ␛^private␛\ ␛Xstring␛\ ␛[2147483647u ␛[99999999999999999999;2~ ␛[57399;1:3u ␛N5`)

// hostile returns an input, and how long to wait before a key is pressed.
func hostile(seed uint64) ([]byte, time.Duration) {
	random := rand.New(rand.NewPCG(seed, 0))
	var b []byte
	for range 1 + random.IntN(4) {
		switch random.IntN(4) {
		case 0: // random bytes
			for range random.IntN(60) {
				b = append(b, byte(random.Uint32()))
			}
		case 1: // a file, such as it is pasted
			file := []byte("\x7fELF\x02\x01\x01\x00\x89PNG\r\n\x1a\n")
			for range random.IntN(200) {
				file = append(file, byte(random.Uint32()&random.Uint32()))
			}
			if random.IntN(2) == 0 {
				file = append(append([]byte("\x1b[200~"), file...), "\x1b[201~"...)
			}
			b = append(b, file...)
		default: // an escape sequence, cut or with more
			s := sequences[random.IntN(len(sequences))]
			s = strings.NewReplacer("␛", "\x1b", "␇", "\a").Replace(s)
			if random.IntN(2) == 0 {
				s = s[:random.IntN(len(s))]
			}
			b = append(b, s...)
			if random.IntN(8) == 0 {
				b = append(b, strings.Repeat(strconv.Itoa(random.IntN(10)), random.IntN(200))...)
			}
		}
	}
	// Keys that end the program, or draw as Ctrl+L does, would only make fewer runs. Ctrl+S, if it comes when the
	// program has ended, stops what the terminal shows.
	for i, c := range b {
		if bytes.IndexByte([]byte("qQ\x03\x11\x13\f"), c) >= 0 {
			b[i] = '.'
		}
	}
	if bytes.Contains(b, []byte("\x1b[200~")) {
		return b, 650 * time.Millisecond
	}
	return b, 150 * time.Millisecond
}

// hostileEnds ends programs in each way: at rest, after hostile input, during it, and while they start. With
// more than a few inputs it ends one at a time, which may take a second.
func hostileEnds(t *testing.T, args []string) {
	places := make(chan struct{}, 4)
	long := *terminalRuns > 25
	if long {
		places = make(chan struct{}, 1)
	}
	var mu sync.Mutex
	var longest time.Duration
	var workers sync.WaitGroup
	for round := range max(1, *terminalRuns/200) {
		for _, way := range []string{"SIGTERM", "SIGHUP", "Ctrl+C", "hangup"} {
			for _, when := range []string{"at rest", "after", "during", "start"} {
				places <- struct{}{}
				seed := *terminalSeed + uint64(round)
				workers.Go(func() {
					defer func() { <-places }()
					took, err := hostileEnd(t, args, way, when, seed)
					if err == nil && long && took > time.Second {
						err = fmt.Errorf("it takes %v, want at most a second", took)
					}
					if err != nil {
						t.Errorf("-terminal.seed=%d: %s, %s: %v", seed, way, when, err)
					}
					mu.Lock()
					defer mu.Unlock()
					longest = max(longest, took)
				})
			}
		}
	}
	workers.Wait()
	t.Logf("a program ends within %v", longest)
}

// hostileEnd returns how long a program takes to end.
func hostileEnd(t *testing.T, args []string, way, when string, seed uint64) (time.Duration, error) {
	p := open(t, ordinary, args)
	input, pause := hostile(seed)
	press := make(chan chan struct{}) // for Ctrl+C while others type
	if when == "start" {
		time.Sleep(time.Duration(rand.New(rand.NewPCG(seed, 1)).IntN(60)) * time.Millisecond)
	} else if err := p.awaits(0, clear, patience); err != nil {
		return 0, err
	}
	switch when {
	case "after":
		p.master.Write(input)
		if way == "Ctrl+C" {
			time.Sleep(pause)
		}
	case "during":
		go func() { // until the terminal is closed, or reads no more
			random := rand.New(rand.NewPCG(seed, 2))
			for err := error(nil); err == nil; {
				b := make([]byte, 64)
				for i := range b {
					b[i] = "abcdefgh 123456789\xff\x80\xc3\x00"[random.IntN(22)]
				}
				select {
				case pressed := <-press:
					_, err = p.master.Write(append(b, '\x03'))
					close(pressed)
				default:
					_, err = p.master.Write(b)
				}
			}
		}()
		time.Sleep(20 * time.Millisecond)
	}
	begun := p.written() > 0
	from := time.Now()
	switch way {
	case "SIGTERM":
		p.Cmd.Process.Signal(syscall.SIGTERM)
	case "SIGHUP":
		p.Cmd.Process.Signal(syscall.SIGHUP)
	case "Ctrl+C":
		if when == "during" { // after what is being typed
			pressed := make(chan struct{})
			press <- pressed
			<-pressed
			from = time.Now()
		} else {
			p.master.WriteString("\x03")
		}
	case "hangup":
		p.gone = true
		p.master.Close() // once a read has ended
		p.tty.WriteString("x")
		p.tty.Close()
	}
	p.hasEnded() // if not, check says so
	took := time.Since(from)
	err := p.check(when == "after")
	if err != nil && !begun {
		select {
		case <-p.ended: // before the program changed anything
			if !strings.Contains(p.since(0), "\x1b") {
				err = nil
			}
		default:
		}
	}
	if err != nil {
		all := p.since(0)
		err = fmt.Errorf("%w\n%q", err, all[max(0, len(all)-500):])
	}
	return took, err
}

// maxMemory is the maximum memory of a program in MB, whatever size the terminal says it has.
const maxMemory = 1000

// hostileSizes shows programs on terminals of each size, from the start and later.
func hostileSizes(t *testing.T, args []string) {
	sizes := []pty.Winsize{{Cols: 1, Rows: 1}, {Cols: 1, Rows: 65535}, {Cols: 65535, Rows: 1}, {Cols: 2, Rows: 2}, {Cols: 12, Rows: 3}, {Cols: 65535, Rows: 65535}, ordinary}
	most := 0
	use := func(sizes ...pty.Winsize) {
		p := open(t, sizes[0], args)
		err := p.awaits(0, clear, patience)
		for _, size := range sizes {
			if err != nil {
				t.Errorf("%d by %d: %v: %.1000q", size.Cols, size.Rows, err, p.since(0))
				return
			}
			p.Resize(size)
			err = p.works()
		}
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid)); err == nil { // Linux
			_, peak, _ := strings.Cut(string(status), "VmHWM:")
			kB, _ := strconv.Atoi(strings.Fields(peak)[0])
			most = max(most, kB/1000)
		}
		p.master.WriteString("\x03")
		if err = errors.Join(err, p.check(false)); err != nil {
			t.Errorf("%v: %v", sizes, err)
		}
	}
	if *terminalRuns > 25 {
		for _, size := range sizes {
			use(size)
		}
		use(sizes...)
	}
	slices.Reverse(sizes)
	use(sizes[1:]...) // starts with the largest
	t.Logf("at most %d MB", most)
	if most > maxMemory {
		t.Errorf("a program uses %d MB, want at most %d", most, maxMemory)
	}
}
