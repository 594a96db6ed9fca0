/* Embeds the files of html/ as they are. The scripts follow one another and make one script. */
    .section .rodata
page_start:
    .incbin "report/html/page.html"
page_end:
style_start:
    .incbin "report/html/style.css"
style_end:
script_start:
    .incbin "report/html/schedule.js"
    .incbin "report/html/list.js"
    .incbin "report/html/lanes.js"
    .incbin "report/html/source.js"
    .incbin "report/html/state.js"
    .incbin "report/html/search.js"
    .incbin "report/html/figures.js"
    .incbin "report/html/print.js"
    .incbin "report/html/main.js"
script_end:

    .section .data.rel.ro, "aw"
    .balign 8
.macro part name, start, end
    .globl \name
\name:
    .quad \start, \end
.endm
    part html_page, page_start, page_end
    part html_style, style_start, style_end
    part html_script, script_start, script_end

    .section .note.GNU-stack, "", @progbits
