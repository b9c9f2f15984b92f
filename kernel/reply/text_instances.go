package reply

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// longName is the length above which a name has its own line in a list of instances, so that the
// other columns fit a screen of 80.
const longName = 24

// String returns a table of the instances, and the number of each kind.
func (r *InstancesReply) String() string {
	if len(r.Instances) == 0 {
		return "no instance of such a name or kind"
	}
	rows := r.rows()
	var long []string
	for i, row := range rows {
		if name := row[0]; utf8.RuneCountInString(name) > longName {
			rows[i][0], long = "", append(long, name)
		}
	}
	lines := strings.Split(table(rows), "\n")
	var b strings.Builder
	for i, line := range lines {
		if i > 0 && rows[i][0] == "" {
			b.WriteString(long[0] + "\n")
			long = long[1:]
		}
		b.WriteString(line + "\n")
	}
	return b.String() + r.summary()
}

// HTML returns the same as an HTML table.
func (r *InstancesReply) HTML() string {
	if len(r.Instances) == 0 {
		return htmlLine("", r.String())
	}
	return htmlTable(r.rows()) + htmlNote(r.summary())
}

func (r *InstancesReply) rows() [][]string {
	rows := [][]string{{"name", "kind", "size", "best known", "", "file"}}
	for _, i := range r.Instances {
		size, best, proven := "", "", ""
		if i.Size > 0 {
			size = fmt.Sprint(i.Size)
		}
		if i.Best.Known() {
			best = i.Best.String()
			if i.Proven {
				proven = "proven"
			}
		}
		rows = append(rows, []string{
			Printable(i.Name), Printable(i.Kind), size, best, proven, Printable(i.Place),
		})
	}
	return rows
}

// summary counts the instances, by place and by kind.
func (r *InstancesReply) summary() string {
	parts := func(of func(ListedInstance) string) string {
		var words []string
		counts := map[string]int{}
		for _, i := range r.Instances {
			w := of(i)
			if w == "" {
				w = "unknown"
			}
			if counts[w]++; counts[w] == 1 {
				words = append(words, w)
			}
		}
		slices.Sort(words)
		for i, w := range words {
			words[i] = fmt.Sprintf("%d %s", counts[w], Printable(w))
		}
		const width = 80
		out, line := "", ""
		for i, w := range words {
			if i < len(words)-1 {
				w += ","
			}
			if line != "" && len(line)+1+len(w) > width {
				out, line = out+line+"\n", ""
			}
			line = strings.TrimPrefix(line+" "+w, " ")
		}
		return out + line
	}
	return count(len(r.Instances), "instance") + ": " +
		parts(func(i ListedInstance) string { return i.Place }) + "\n" +
		parts(func(i ListedInstance) string { return i.Kind })
}
