package shelf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
)

// maxResults is the maximum size of the file of results, in bytes: more than 50,000 games.
const maxResults = 16 << 20

// A Result is how a game ended.
type Result struct {
	When    time.Time
	Givens  string        // 81 digits
	Level   int           // of the puzzle, 1 to 5; 0 if unknown
	ER      float64       // its rating; 0 if unknown
	Time    time.Duration // played; 0 without a clock
	Helps   int           // how often the machine has helped
	GivenUp bool          // the game was given up and not solved
}

// resultLine is the JSON of a result.
type resultLine struct {
	When    time.Time `json:"when"`
	Level   int       `json:"level,omitempty"`
	ER      float64   `json:"er,omitempty"`
	Time    int64     `json:"time_ms,omitempty"`
	Helps   int       `json:"helps,omitempty"`
	GivenUp bool      `json:"given_up,omitempty"`
	Givens  string    `json:"givens"`
}

// MarshalJSON writes the result as in the file of results.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(resultLine{r.When.UTC().Truncate(time.Second), r.Level, r.ER, r.Time.Milliseconds(), r.Helps, r.GivenUp, r.Givens})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(text []byte) error {
	var l resultLine
	err := json.Unmarshal(text, &l)
	if err == nil {
		*r = Result{l.When, l.Givens, l.Level, l.ER, time.Duration(l.Time) * time.Millisecond, l.Helps, l.GivenUp}
	}
	return err
}

// Add adds a result to the file of results.
func (s *Shelf) Add(r Result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == "" || s.readonly != nil {
		return s.readonly
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.append(append(line, '\n'))
}

// append adds a line durably. After a loss of power the last line may be incomplete; the
// next one begins on a line of its own.
func (s *Shelf) append(line []byte) error {
	f, err := os.OpenFile(filepath.Join(s.state, "results.jsonl"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return durable.Cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return durable.Cause(err)
	}
	last := []byte{'\n'}
	if info.Size() > 0 {
		_, err = f.ReadAt(last, info.Size()-1)
	}
	switch {
	case err != nil:
		return durable.Cause(err)
	case info.Size()+int64(len(line)) > maxResults:
		return fmt.Errorf("%q is full: it has more than %d bytes", f.Name(), maxResults)
	case last[0] != '\n':
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	return durable.Cause(cmp.Or(err, f.Sync()))
}

// Results returns the results, the oldest first. Lines that are damaged are left out; the
// error says which is the first.
func (s *Shelf) Results() ([]Result, error) {
	if s.state == "" {
		return nil, nil
	}
	name := filepath.Join(s.state, "results.jsonl")
	text, err := read(name, maxResults)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("cannot read %q: %w", name, durable.Cause(err))
	}
	var all []Result
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var r Result
		if problem := json.Unmarshal(line, &r); problem != nil {
			err = cmp.Or(err, fmt.Errorf("%s:%d: %w", name, n, problem))
			continue
		}
		all = append(all, r)
	}
	return all, err
}

// A Record is what the results of some games say.
type Record struct {
	Solved  int           // games
	GivenUp int           // games
	Timed   int           // games that were solved without help, by the clock
	Best    time.Duration // of these; 0 without any
	Mean    time.Duration // of these
	Streak  int           // games that were solved since the last one that was given up
	Longest int           // streak
}

// Statistics have the record of all games, at 0, and of those of each level from 1 to 5.
type Statistics [6]Record

// Statistics returns the statistics of the results, see [Shelf.Results].
func (s *Shelf) Statistics() (Statistics, error) {
	results, err := s.Results()
	return Summary(results), err
}

// Summary returns the statistics of results, the oldest first.
func Summary(results []Result) (all Statistics) {
	for _, r := range results {
		all[0].add(&r)
		if r.Level > 0 && r.Level < len(all) {
			all[r.Level].add(&r)
		}
	}
	for i := range all {
		if r := &all[i]; r.Timed > 0 {
			r.Mean = (r.Mean / time.Duration(r.Timed)).Round(time.Millisecond)
		}
	}
	return all
}

// add adds a result. Mean is the sum of the times.
func (r *Record) add(result *Result) {
	if result.GivenUp {
		r.GivenUp++
		r.Streak = 0
		return
	}
	r.Solved++
	r.Streak++
	r.Longest = max(r.Longest, r.Streak)
	if result.Helps == 0 && result.Time > 0 {
		if r.Timed == 0 || result.Time < r.Best {
			r.Best = result.Time
		}
		r.Timed++
		r.Mean += result.Time
	}
}
