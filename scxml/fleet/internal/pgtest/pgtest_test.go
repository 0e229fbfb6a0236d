package pgtest

import "testing"

// What a server has committed is there after it was killed, and after it was stopped.
func TestServerIsKilledAndRestarted(t *testing.T) {
	s := Start(t)
	s.SQL("CREATE TABLE t (n int)")
	for i, end := range []func(){s.Kill, s.Stop, s.Kill} {
		s.SQL("INSERT INTO t VALUES (1)")
		end()
		s.Restart()
		if got, want := s.SQL("SELECT count(*) FROM t"), string(rune('1'+i)); got != want {
			t.Errorf("after restart %d the table has %s rows, want %s", i+1, got, want)
		}
	}
}
