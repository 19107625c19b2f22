"""What new users stumbled over, and the tests that say what happens now.

| trouble | now |
|---|---|
| 1.1 a list without rules ended in a traceback, without a model | ALWAYS, and the model first |
| 1.2 `rules --compact` judged a classifier by random points | by rows of `--data`, or it refuses |
| 1.3 the short list could not leave the tool | it is in the model file; every form writes it |
| 1.4 categories were numbers outside the terminal | names in all forms, `--explain` takes them |
| 1.5 nothing applied a model to new rows | `ruleplay predict` |
| 1.6 a frame of the same file was misread in Python | read as `fit` read it, else a warning |
| 1.7 the exported function took numbers only | it takes raw values and returns the class |
| 1.8 nobody said that nothing was learned | "no better than always answering"; many classes |
| 1.9 with class weights the yardstick was wrong | the most frequent class by rows |
| 1.10 columns were misread in silence | a line for each column, `--column NAME=KIND` |
| 1.11 lists had rules that were mostly wrong | what gains no more than one row goes |
| 1.12 known test rows; 2.50 tickets; slow errors; separators | said; 2; at once; found |
| explorer: hidden fields, actions for classes, began nowhere | all fields, its words, at a row |
| maps and report: two scales, labels of LaTeX, what rounding hides | one scale, words, said |
| documentation: pictures of an older state | a test compares them with their sources |
"""

from pathlib import Path

import pytest

pytestmark = [pytest.mark.interpreted, pytest.mark.uncompiled]

TESTS = Path(__file__).parents[1]
FIT, READING = "integration/test_cli_fit.py", "unit/cli/test_csv_reading.py"
PRODUCT, PREDICT = "integration/test_cli_product.py", "integration/test_cli_predict.py"
EXPLORER, FIT_PAGE = "browser/test_explorer_in_browser.py", "browser/test_fit_page_in_browser.py"
REPORT, REPORT_PAGE = "browser/test_report_in_browser.py", "unit/report/test_report_page.py"
COLUMNS, FORMS = "integration/test_cli_columns.py", "integration/test_forms_of_rules.py"
NOW = {
    "1.1": [
        (FIT, "test_a_list_without_rules_says_what_is_always_answered"),
        (FIT, "test_the_model_is_written_before_anything_that_may_fail"),
        (FIT, "test_tiny_tables_are_learned"),
    ],
    "1.2": [(FIT, "test_a_list_of_a_saved_model_is_judged_by_rows_or_refused")],
    "1.3": [
        (PRODUCT, "test_the_list_that_fit_printed_is_the_first_thing_that_rules_shows"),
        (PRODUCT, "test_every_form_writes_the_list"),
    ],
    "1.4": [
        (FORMS, "test_every_form_names_categories_and_speaks_of_missing_values"),
        (FORMS, "test_conditions_that_let_every_category_pass_are_not_said"),
        (PRODUCT, "test_an_explanation_names_categories_and_takes_them"),
    ],
    "1.5": [
        (PREDICT, "test_rows_are_written_with_the_answers_of_the_list"),
        (PREDICT, "test_what_the_model_does_not_know_is_said_and_counted"),
    ],
    "1.6": [
        (PRODUCT, "test_a_frame_of_the_same_file_is_read_in_python_as_fit_read_it"),
        ("unit/learners/test_training_table.py", "UnknownCategoryWarning, match="),
    ],
    "1.7": [
        ("integration/test_raw_exports.py", "test_python_takes_rows_of_text_by_name_or_in_order"),
        ("unit/rules/test_raw_values.py", "test_sqlite_reads_texts_as_predict_does"),
        (COLUMNS, "test_exports_take_such_values_as_they_are"),
    ],
    "1.8": [
        (FIT, "test_a_model_that_has_learned_nothing_says_so"),
        (FIT, "test_few_rows_of_a_class_and_many_classes_are_said"),
    ],
    "1.9": [(FIT, "test_the_yardstick_is_the_most_frequent_class_whatever_rows_weigh")],
    "1.10": [
        (COLUMNS, "test_every_column_has_a_line_that_says_what_it_is"),
        (READING, "test_codes_with_leading_zeros_are_text_unless_a_person_says_otherwise"),
        (READING, "test_identifiers_are_left_out_unless_a_person_says_otherwise"),
        (READING, "test_words_that_count_as_missing_are_said_with_their_count"),
        (READING, "test_ways_to_write_numbers"),
        (READING, "test_numbers_that_stand_for_a_gap_are_missing_unless_a_person_says_otherwise"),
        (READING, "test_rare_ones_of_many_categories_are_grouped"),
        (READING, "test_a_first_line_that_looks_like_data_is_asked_about"),
        (FIT, "test_missing_values_are_counted_by_column"),
    ],
    "1.11": [
        (
            "unit/learners/test_rule_list.py",
            "test_every_rule_and_every_condition_of_a_list_gains_two_rows_or_more",
        ),
    ],
    "1.12": [
        (READING, "test_rows_of_a_test_that_were_learned_from_are_said"),
        (READING, "test_whole_numbers_are_known"),
        (READING, "test_the_separator_is_found"),
        (
            "integration/test_cli_import.py",
            "test_files_and_columns_that_are_not_there_are_said_before_anything_heavy_is_loaded",
        ),
    ],
    "explorer:": [
        (FIT_PAGE, "test_nothing_is_cut_and_all_can_be_read"),
        (FIT_PAGE, "test_the_explorer_begins_at_a_row_that_was_learned_from"),
        (FIT_PAGE, "test_classes_categories_and_dates_are_spoken_of_as_the_terminal_does"),
        (EXPLORER, "test_a_phone_needs_no_sideways_scrolling"),
    ],
    "maps and report:": [
        (REPORT, "test_the_scale_of_the_map_and_the_sentence_below_agree"),
        (REPORT_PAGE, '"tab:" not in page'),
        (REPORT_PAGE, '"rounding allowed for"'),
    ],
    "documentation:": [
        ("integration/test_docs_pictures.py", "test_pictures_are_current"),
    ],
}


@pytest.mark.parametrize("trouble", NOW)
def test_every_trouble_has_its_tests(trouble):
    assert f"| {trouble} " in __doc__
    for file, test in NOW[trouble]:
        assert test in (TESTS / file).read_text(encoding="utf-8"), test
