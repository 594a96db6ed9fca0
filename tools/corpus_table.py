"""The table of the study, from measurements: as text, CSV and Markdown."""
import csv
import io

NONE = "×"  # not found
FIELDS = {"bounded": ["bound", "first", "all", "new", "buggy"], "other": ["first", "all", "buggy"]}
PROGRAM = ["program", "group", "threads", "enabled", "points"]


class Table:
    """columns: (strategy or "", field); rows and totals: a cell of text for each column."""

    def __init__(self, strategies, limit, measured):
        self.limit = limit
        self.columns = [("", name) for name in PROGRAM]
        for strategy in strategies:
            kind = "bounded" if strategy in ("preempt", "delay") else "other"
            self.columns += [(strategy, field) for field in FIELDS[kind]]
        self.rows = [self.row(program, found) for program, found in measured]
        self.totals = self.total([(program, found) for program, found in measured if program.finds])

    def row(self, program, found):
        largest = {field: max(row[field] for row in found.values())
                   for field in ("threads", "max_enabled", "max_points")}
        head = [program.name, program.group, largest["threads"], largest["max_enabled"],
                largest["max_points"]]
        return [str(cell) for cell in head] + [
            self.cell(found.get(strategy), field)
            for strategy, field in self.columns[len(head):]]

    def cell(self, row, field):
        if row is None:
            return "-"
        value = row[field]
        if field == "first":
            if value is None:
                return NONE
            text = f"{value:.0f}" if isinstance(value, int) or value >= 100 else f"{value:.1f}"
            missed = row.get("seeds", 1) - row.get("seeds_found", 1)
            return f"{text} ({missed} missed)" if missed else text
        if field == "all" and row["stopped"]:
            return "L" if row["stopped"] == "executions" else f"{value}*"
        return str(value)

    def total(self, measured):
        cells = [f"{len(measured)} programs"] + [""] * (len(PROGRAM) - 1)
        for strategy, field in self.columns[len(PROGRAM):]:
            rows = [found[strategy] for _, found in measured if strategy in found]
            if field == "first":
                count = sum(row["first"] is not None for row in rows)
                cells.append(f"{count} found")
            elif field in ("all", "new", "buggy"):
                cells.append(str(sum(row[field] for row in rows)))
            else:
                cells.append("")
        return cells

    def notes(self):
        return (f"first: executions to the first bug ({NONE}: not found); all: executions in all "
                f"(L: the limit, {self.limit}, was reached; *: the time limit);\n"
                "new: those at the bound; buggy: those with the bug. Where the search began anew "
                "after a race, first counts what\nran before, new and buggy do not.")


def as_text(table):
    lines = [[strategy for strategy, _ in table.columns], [field for _, field in table.columns],
             *table.rows, table.totals]
    for index in range(len(lines[0]) - 1, 0, -1):  # a strategy's name stands once, over its columns
        if lines[0][index] == lines[0][index - 1]:
            lines[0][index] = ""
    widths = [max(len(line[index]) for line in lines) for index in range(len(table.columns))]
    text = ""
    for line in lines:
        cells = [cell.ljust(width) if index < 2 or line is lines[0] else cell.rjust(width)
                 for index, (cell, width) in enumerate(zip(line, widths))]
        text += "  ".join(cells).rstrip() + "\n"
    return text + table.notes() + "\n"


def as_csv(table):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([f"{strategy}_{field}" if strategy else field
                     for strategy, field in table.columns])
    writer.writerows([["" if cell in (NONE, "-") else str(table.limit) if cell == "L" else
                       cell.rstrip("*") for cell in row] for row in table.rows])
    return out.getvalue()


def as_markdown(table):
    head = [f"{strategy} {field}".strip() for strategy, field in table.columns]
    lines = [head, ["---", "---"] + ["---:"] * (len(head) - 2), *table.rows,
             [f"**{cell}**" if cell else "" for cell in table.totals]]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n" + table.notes() + "\n"


FORMATS = {"text": as_text, "csv": as_csv, "markdown": as_markdown}
SUFFIXES = {"text": "txt", "csv": "csv", "markdown": "md"}
