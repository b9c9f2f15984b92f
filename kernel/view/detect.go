package view

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"metalab/kernel/view/cells"
)

// Override is the environment variable that chooses the graphics of terminals:
// kitty, iterm, sixel, cells or none.
const Override = "METALAB_GRAPHICS"

// Detect returns how a terminal shows pictures, from its environment alone: [Override] if it has a
// known value; None without a terminal or in a dumb one; Cells inside tmux and screen, which block
// unknown sequences; else by the names that terminals give themselves. If it returns Cells, [Query]
// can still ask the terminal.
func Detect(env func(string) string, isTTY bool) Graphics {
	switch g := Graphics(strings.ToLower(env(Override))); g {
	case Kitty, ITerm, Sixel, Cells, None:
		return g
	}
	term, program := env("TERM"), env("TERM_PROGRAM")
	switch {
	case !isTTY || term == "dumb":
		return None
	case inMultiplexer(env):
		return Cells
	case env("KITTY_WINDOW_ID") != "", term == "xterm-kitty", term == "xterm-ghostty",
		program == "ghostty", program == "WezTerm", env("GHOSTTY_RESOURCES_DIR") != "":
		return Kitty
	case program == "iTerm.app", env("LC_TERMINAL") == "iTerm2":
		return ITerm
	}
	return Cells
}

// Asks reports whether the environment decides nothing, so that asking the terminal is worthwhile.
func Asks(env func(string) string, isTTY bool) bool {
	switch Graphics(strings.ToLower(env(Override))) {
	case Kitty, ITerm, Sixel, Cells, None:
		return false
	}
	return isTTY && env("TERM") != "dumb" && !inMultiplexer(env)
}

// inMultiplexer reports whether tmux or screen stand before the terminal.
func inMultiplexer(env func(string) string) bool {
	term := env("TERM")
	return env("TMUX") != "" || env("STY") != "" || strings.HasPrefix(term, "screen") ||
		strings.HasPrefix(term, "tmux")
}

// Colors returns the number of colours of a terminal. NO_COLOR, if it is set to anything, and dumb
// terminals mean none.
func Colors(env func(string) string) cells.Depth {
	term := env("TERM")
	switch c := env("COLORTERM"); {
	case env("NO_COLOR") != "", term == "dumb":
		return cells.None
	case c == "truecolor", c == "24bit",
		strings.HasSuffix(term, "-direct"), term == "xterm-kitty", term == "xterm-ghostty",
		term == "alacritty":
		return cells.True
	case term == "":
		return cells.None
	}
	return cells.C256
}

// Terminal returns the sink of a terminal with this environment for pictures of
// cols by rows cells.
func Terminal(env func(string) string, isTTY bool, cols, rows int) Sink {
	return Sink{
		Graphics: Detect(env, isTTY), Depth: int(Colors(env)), Cols: cols, Rows: rows,
		ASCII: !Unicode(env), Tmux: env("TMUX") != "",
	}
}

// Unicode reports whether text in a terminal may have characters beyond ASCII: not in the locales C
// and POSIX, nor with another character set than UTF-8. If the environment names no locale, as in
// many containers, it may.
func Unicode(env func(string) string) bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		l := strings.ToLower(env(name))
		if l == "" {
			continue
		}
		_, set, named := strings.Cut(l, ".")
		set, _, _ = strings.Cut(strings.ReplaceAll(set, "-", ""), "@")
		return set == "utf8" || !named && l != "c" && l != "posix"
	}
	return true
}

// Query returns the bytes to write to a terminal in order to learn its abilities: kitty's protocol,
// its background, the size of its cells, and its attributes (DA1). All terminals answer the last,
// so that reply ends the wait; 200 ms are enough. The terminal must be raw, or it echoes the
// replies.
func Query() string {
	return "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + "\x1b]11;?\x1b\\" + "\x1b[16t" + "\x1b[c"
}

// A Reply is a terminal's answer to [Query].
type Reply struct {
	Kitty        bool
	Sixel        bool
	Background   string // "#rrggbb"; empty: unknown
	CellW, CellH int    // pixels; 0: unknown
	Done         bool   // the last answer has arrived
}

// ParseReply parses the answers among the bytes from a terminal, in any order. rest holds the other
// bytes, for instance keys pressed meanwhile, and an answer of which only the beginning has
// arrived.
func ParseReply(b []byte) (r Reply, rest []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			return r, append(rest, b...)
		}
		rest, b = append(rest, b[:i]...), b[i:]
		n := r.read(b)
		if n == 0 {
			rest, b = append(rest, b[0]), b[1:]
			continue
		}
		b = b[n:]
	}
	return r, rest
}

// Apply returns s with the terminal's answers. It chooses pixels if the environment left the choice
// open.
func (r Reply) Apply(s Sink) Sink {
	if s.Graphics == Cells {
		switch {
		case r.Kitty:
			s.Graphics = Kitty
		case r.Sixel:
			s.Graphics = Sixel
		}
	}
	if r.Background != "" {
		s.Background = r.Background
	}
	if r.CellW > 0 && r.CellH > 0 {
		s.CellW, s.CellH = r.CellW, r.CellH
	}
	return s
}

// read takes the answer at the start of b, which begins with ESC, and returns its
// length; 0 if there is none.
func (r *Reply) read(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("\x1b_G")):
		body, n := until(b, 3)
		if n == 0 || !bytes.Contains(body, []byte("i=31")) {
			return 0
		}
		r.Kitty = bytes.HasSuffix(body, []byte(";OK"))
		return n
	case bytes.HasPrefix(b, []byte("\x1b]11;")):
		body, n := until(b, 5)
		if n > 0 {
			r.Background = hex(string(body))
		}
		return n
	case bytes.HasPrefix(b, []byte("\x1b[?")), bytes.HasPrefix(b, []byte("\x1b[6;")):
		end := 2
		for end < len(b) && (b[end] == '?' || b[end] == ';' || b[end] >= '0' && b[end] <= '9') {
			end++
		}
		if end == len(b) {
			return 0
		}
		f := strings.Split(strings.TrimPrefix(string(b[2:end]), "?"), ";")
		switch {
		case b[end] == 'c' && b[2] == '?':
			for _, a := range f[1:] {
				r.Sixel = r.Sixel || a == "4"
			}
			r.Done = true
			return end + 1
		case b[end] == 't' && len(f) == 3:
			h, errH := strconv.Atoi(f[1])
			w, errW := strconv.Atoi(f[2])
			if errH == nil && errW == nil && w >= 1 && w <= 200 && h >= 1 && h <= 400 {
				r.CellW, r.CellH = w, h
			}
			return end + 1
		}
	}
	return 0
}

// until returns what lies between from and the end of a string sequence, ST or
// BEL, and the length with it; 0 without an end.
func until(b []byte, from int) (body []byte, n int) {
	for i := from; i < len(b); i++ {
		switch {
		case b[i] == 0x07:
			return b[from:i], i + 1
		case b[i] == 0x1b:
			if i+1 < len(b) && b[i+1] == '\\' {
				return b[from:i], i + 2
			}
			return nil, 0
		}
	}
	return nil, 0
}

// hex turns "rgb:1e1e/2e2e/3e3e", of one to four digits each, into "#1e2e3e";
// empty if it is something else.
func hex(s string) string {
	s, ok := strings.CutPrefix(s, "rgb:")
	parts := strings.Split(s, "/")
	if !ok || len(parts) != 3 {
		return ""
	}
	out := "#"
	for _, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return ""
		}
		most := uint64(1)<<(4*len(p)) - 1
		out += fmt.Sprintf("%02x", (v*255+most/2)/most)
	}
	return out
}
